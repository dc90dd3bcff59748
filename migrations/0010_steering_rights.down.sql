DELETE FROM function_right WHERE function_name IN ('steer_cancel', 'steer_pause', 'steer_resume',
  'set_batch_priority', 'set_batch_weight', 'set_batch_cap', 'retry_failed', 'sweep_batch',
  'drain_worker');
DROP FUNCTION set_batch_cap, steer_resume, steer_pause, steer_cancel;
CREATE OR REPLACE FUNCTION steered_batch(batch bigint) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint;
BEGIN
  SELECT b.state INTO state_before FROM batch AS b WHERE b.id = batch FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE no_data_found USING MESSAGE = format('there is no batch %s', batch);
  END IF;
  RETURN state_before;
END
$$;
