DROP FUNCTION drain_worker(bigint);
DROP FUNCTION retry_failed(bigint, text, text[], bytea[], bigint, bigint);
DROP FUNCTION output_target(text, bytea);
DROP FUNCTION sweep_batch(bigint, bigint, bigint);
DROP FUNCTION set_batch_weight(bigint, double precision);
DROP FUNCTION set_batch_priority(bigint, smallint);
DROP FUNCTION steered_batch(bigint);
DROP INDEX failure_recent;
DROP INDEX failure_code;
