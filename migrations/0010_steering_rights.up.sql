-- Steering is for those who submitted a batch and for admins; caps can be set.

-- Locks a batch that somebody steers and gives its state.
CREATE OR REPLACE FUNCTION steered_batch(batch bigint) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint;
BEGIN
  SELECT b.state INTO state_before FROM batch AS b WHERE b.id = batch FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE no_data_found USING MESSAGE = format('there is no batch %s', batch);
  END IF;
  PERFORM require_steering(batch);
  RETURN state_before;
END
$$;

-- What people call: as cancel_batch, pause_batch and resume_batch, for those who may; give the state
-- before.
CREATE FUNCTION steer_cancel(batch bigint, actor text) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint := steered_batch(batch);
BEGIN
  PERFORM cancel_batch(batch, actor);
  RETURN state_before;
END
$$;

CREATE FUNCTION steer_pause(batch bigint, actor text, reason text) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint := steered_batch(batch);
BEGIN
  PERFORM pause_batch(batch, actor, reason);
  RETURN state_before;
END
$$;

CREATE FUNCTION steer_resume(batch bigint, actor text) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint := steered_batch(batch);
BEGIN
  PERFORM resume_batch(batch, actor);
  RETURN state_before;
END
$$;

-- Sets how many of a batch's jobs may run at once, NULL for any number; gives the cap before. Jobs that
-- run go on.
CREATE FUNCTION set_batch_cap(batch bigint, cap integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  before integer;
BEGIN
  PERFORM steered_batch(batch);
  SELECT b.maximum_running INTO before FROM batch AS b WHERE b.id = batch;
  UPDATE batch AS b SET maximum_running = cap
  WHERE b.id = batch AND b.maximum_running IS DISTINCT FROM cap;
  RETURN before;
END
$$;

DO $$
DECLARE
  function regprocedure;
BEGIN
  FOR function IN
    SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = current_schema::regnamespace
      AND proname IN ('steered_batch', 'steer_cancel', 'steer_pause', 'steer_resume', 'set_batch_cap')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp',
      function, current_schema);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', function);
  END LOOP;
END
$$;

-- A worker keeps house, and drains itself.
INSERT INTO function_right VALUES
  ('steer_cancel', 'rawmill_submitter'), ('steer_pause', 'rawmill_submitter'),
  ('steer_resume', 'rawmill_submitter'), ('set_batch_priority', 'rawmill_submitter'),
  ('set_batch_weight', 'rawmill_submitter'), ('set_batch_cap', 'rawmill_submitter'),
  ('retry_failed', 'rawmill_submitter'), ('sweep_batch', 'rawmill_submitter'),
  ('sweep_batch', 'rawmill_worker'), ('drain_worker', 'rawmill_worker');
