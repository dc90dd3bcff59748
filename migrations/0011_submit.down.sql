DELETE FROM function_right WHERE function_name = 'submit';
DROP FUNCTION submit, job_key, key_part;
