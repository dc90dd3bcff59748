DELETE FROM function_right WHERE function_name IN ('steer_cancel', 'steer_pause', 'steer_resume',
  'set_batch_priority', 'set_batch_weight', 'set_batch_cap', 'retry_failed', 'drain_worker');
DROP FUNCTION set_batch_cap, steer_resume, steer_pause, steer_cancel;
DROP FUNCTION drain_worker(bigint);
DROP FUNCTION retry_failed(bigint, text, text[], bytea[], bigint, bigint);
DROP FUNCTION output_target(text, bytea);
DROP FUNCTION set_batch_weight(bigint, double precision);
DROP FUNCTION set_batch_priority(bigint, smallint);
DROP FUNCTION steered_batch(bigint);
DROP INDEX failure_recent;
DROP INDEX failure_code;
