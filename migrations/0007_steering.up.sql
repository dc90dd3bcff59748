-- Steering: what people do to batches and workers, as functions, and the indexes that show failures.
-- Batches are steered by those who submitted them and by admins.
--
-- Every function may be called again with the same arguments: then it changes nothing. A batch or worker
-- that is not there is no_data_found.

-- Failures by code in the order of jobs, and the newest of all batches.
CREATE INDEX failure_code ON failure (batch_id, code, job_id);
CREATE INDEX failure_recent ON failure (failed_at);

-- Locks a batch that somebody steers and gives its state.
CREATE FUNCTION steered_batch(batch bigint) RETURNS smallint
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

-- Sets what is served first; gives the priority before.
CREATE FUNCTION set_batch_priority(batch bigint, priority smallint) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  before smallint;
BEGIN
  PERFORM steered_batch(batch);
  SELECT b.priority INTO before FROM batch AS b WHERE b.id = batch;
  UPDATE batch AS b SET priority = set_batch_priority.priority
  WHERE b.id = batch AND b.priority <> set_batch_priority.priority;
  RETURN before;
END
$$;

-- Sets the share among batches of equal priority; gives the weight before.
CREATE FUNCTION set_batch_weight(batch bigint, weight double precision) RETURNS double precision
LANGUAGE plpgsql AS $$
DECLARE
  before double precision;
BEGIN
  PERFORM steered_batch(batch);
  SELECT b.weight INTO before FROM batch AS b WHERE b.id = batch;
  UPDATE batch AS b SET weight = set_batch_weight.weight
  WHERE b.id = batch AND b.weight <> set_batch_weight.weight;
  RETURN before;
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

-- The key of an output's place in target: SHA-256 of the tag, the root and the path, each behind its length.
CREATE FUNCTION output_target(root text, path bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(int8send(16) || convert_to('rawmill.target.1', 'UTF8')
  || int8send(octet_length(root)) || convert_to(root, 'UTF8')
  || int8send(octet_length(path)) || path);

-- Has a slice of a batch's failed jobs after the job "after" done again: all, those with a code, those of
-- some inputs. A job stays failed while another live job writes one of its outputs.
--
-- Gives how many are done again, how many stay, and the last job that was looked at; NULL when there was
-- none.
CREATE FUNCTION retry_failed(
  batch bigint, only_code text, only_roots text[], only_paths bytea[], after bigint, slice bigint,
  OUT again bigint, OUT held bigint, OUT last bigint
)
LANGUAGE plpgsql AS $$
DECLARE
  ids bigint[];
  readied bigint[];
BEGIN
  -- Nobody takes an output path meanwhile: submissions hold this lock for each slice.
  PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.enqueue.' || current_schema, 0));
  IF steered_batch(batch) = 2 THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('batch %s is cancelled: submit its inputs again', batch);
  END IF;
  ids := ARRAY(
    SELECT f.job_id FROM (
      SELECT a.job_id FROM failure AS a
      WHERE only_code IS NULL AND a.batch_id = batch AND a.job_id > after
      UNION ALL
      SELECT c.job_id FROM failure AS c
      WHERE c.batch_id = batch AND c.code = only_code AND c.job_id > after
    ) AS f CROSS JOIN LATERAL (
      SELECT FROM job AS j
      WHERE j.id = f.job_id AND j.outcome = 2 AND (only_paths IS NULL OR EXISTS (
        SELECT FROM unnest(only_roots, only_paths) AS p (root, path)
        WHERE p.root = j.input_root AND p.path = j.input_path))
      OFFSET 0
    ) AS failed
    ORDER BY f.job_id LIMIT slice);
  last := ids[cardinality(ids)];
  WITH wanted AS MATERIALIZED (
    -- As output_target, written out: a call costs more than all the rest.
    SELECT i.id, sha256(int8send(16) || convert_to('rawmill.target.1', 'UTF8')
      || int8send(octet_length(o.root)) || convert_to(o.root, 'UTF8')
      || int8send(octet_length(o.path)) || o.path) AS key
    FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
      SELECT j.output_roots, j.output_paths, j.kept_root, j.kept_path FROM job AS j
      WHERE j.id = i.id OFFSET 0
    ) AS j CROSS JOIN LATERAL (
      SELECT * FROM unnest(j.output_roots, j.output_paths)
      UNION ALL SELECT j.kept_root, j.kept_path WHERE j.kept_path IS NOT NULL
    ) AS o (root, path)
  ), blocked AS MATERIALIZED (
    SELECT DISTINCT w.id
    FROM (SELECT n.id, n.key, min(n.id) OVER (PARTITION BY n.key) AS first FROM wanted AS n) AS w
    WHERE w.first <> w.id OR EXISTS (
      SELECT FROM (SELECT t.job_id FROM target AS t WHERE t.key = w.key OFFSET 0) AS t
      CROSS JOIN LATERAL (
        SELECT FROM job AS j WHERE j.id = t.job_id AND j.outcome IS NULL OFFSET 0
      ) AS live
      WHERE t.job_id <> w.id)
  ), armed AS (
    UPDATE job AS j SET ready = true, outcome = NULL, finished_at = NULL, failures = 0, crashes = 0,
      host_faults = 0
    WHERE j.id = ANY (ARRAY(SELECT unnest(ids) EXCEPT SELECT b.id FROM blocked AS b))
      AND j.outcome = 2
    RETURNING j.id
  ), taken AS (
    INSERT INTO target AS t (key, job_id)
    SELECT w.key, w.id FROM wanted AS w WHERE w.id NOT IN (SELECT b.id FROM blocked AS b)
    ORDER BY w.key
    ON CONFLICT (key) DO UPDATE SET job_id = excluded.job_id WHERE t.job_id <> excluded.job_id
  ), forgotten AS (
    DELETE FROM failure AS f WHERE f.job_id = ANY (ARRAY(SELECT a.id FROM armed AS a))
  ), uncounted AS (
    INSERT INTO tally (batch_id, failed) SELECT batch, -count(*) FROM armed HAVING count(*) > 0
  )
  SELECT count(*), coalesce(array_agg(a.id), '{}') INTO again, readied FROM armed AS a;
  held := cardinality(ids) - again;
  UPDATE batch AS b SET finished_at = NULL, state = CASE WHEN b.state = 3 THEN 0 ELSE b.state END
  WHERE b.id = batch AND again > 0;
  PERFORM hint_batches(readied);
END
$$;

-- Has a worker claim no more: it ends when what it has is done; gives the state before.
CREATE FUNCTION drain_worker(worker bigint) RETURNS smallint
LANGUAGE plpgsql AS $$
DECLARE
  state_before smallint;
BEGIN
  SELECT w.state INTO state_before FROM worker AS w WHERE w.id = worker FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE no_data_found USING MESSAGE = format('there is no worker %s', worker);
  END IF;
  UPDATE worker AS w SET state = 1 WHERE w.id = worker AND w.state = 0;
  RETURN state_before;
END
$$;

-- They act with the rights of the schema's owner, whatever the caller's search path.
DO $$
DECLARE
  function regprocedure;
BEGIN
  FOR function IN
    SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = current_schema::regnamespace AND proname IN (
      'steered_batch', 'steer_cancel', 'steer_pause', 'steer_resume', 'set_batch_priority',
      'set_batch_weight', 'set_batch_cap', 'retry_failed', 'drain_worker')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp',
      function, current_schema);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', function);
  END LOOP;
END
$$;

-- A worker drains itself.
INSERT INTO function_right VALUES
  ('steer_cancel', 'rawmill_submitter'), ('steer_pause', 'rawmill_submitter'),
  ('steer_resume', 'rawmill_submitter'), ('set_batch_priority', 'rawmill_submitter'),
  ('set_batch_weight', 'rawmill_submitter'), ('set_batch_cap', 'rawmill_submitter'),
  ('retry_failed', 'rawmill_submitter'), ('drain_worker', 'rawmill_worker');
