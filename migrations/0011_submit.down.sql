DROP FUNCTION submit, job_key, key_part;
