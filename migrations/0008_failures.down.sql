DELETE FROM function_right WHERE function_name IN ('host_evidence', 'begin_judgement', 'put_aside',
  'allow_host', 'farm_memory', 'heavy_waiting', 'attempt_endings', 'asides');
DROP FUNCTION asides, delete_batch, prune_partitions, attempt_endings, heavy_waiting, farm_memory, allow_host,
  put_aside, begin_judgement, host_evidence, pause_failing, fold_tally;
DROP TABLE judgement, set_aside, host_count;
DROP INDEX attempt_trouble, attempt_trouble_of_batch;
ALTER TABLE progress DROP COLUMN last_done_at;
ALTER TABLE tally DROP COLUMN worker_id, DROP COLUMN troubled;
ALTER TABLE worker DROP COLUMN slot_memory, DROP COLUMN memory;
DROP INDEX job_heavy;
ALTER TABLE job DROP COLUMN memory_floor;
