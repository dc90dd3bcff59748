-- Cancelling a batch reads what waits, not what has ended.

-- Ends a slice of the waiting jobs of a cancelled batch: of the ready ones, in the order of claims, those
-- behind the job "after", or from the batch's head on for 0; then of the delayed ones. Gives the job to go
-- on after; NULL when there was none.
CREATE OR REPLACE FUNCTION sweep_batch(batch bigint, after bigint, slice bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
SET plan_cache_mode TO force_generic_plan SET enable_hashjoin TO off SET enable_mergejoin TO off
SET enable_seqscan TO off SET enable_bitmapscan TO off SET jit TO off AS $$
DECLARE
  from_rank integer;
  from_id bigint;
  ids bigint[];
  last bigint;
BEGIN
  SELECT b.head_rank, b.head_id INTO from_rank, from_id
  FROM batch AS b WHERE b.id = batch AND b.state = 2;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF after > 0 THEN
    SELECT -j.priority::integer, j.id + 1 INTO from_rank, from_id FROM job AS j WHERE j.id = after;
  END IF;
  ids := ARRAY(
    SELECT j.id FROM job AS j
    WHERE j.batch_id = batch AND j.ready AND (-j.priority::integer, j.id) >= (from_rank, from_id)
    ORDER BY -j.priority::integer, j.id LIMIT slice FOR UPDATE SKIP LOCKED);
  IF cardinality(ids) = 0 THEN
    -- From the very beginning: what was given back meanwhile.
    ids := ARRAY(
      SELECT j.id FROM job AS j WHERE j.batch_id = batch AND j.ready
      ORDER BY -j.priority::integer, j.id LIMIT slice FOR UPDATE SKIP LOCKED);
  END IF;
  last := ids[cardinality(ids)];
  IF last IS NULL THEN
    ids := ARRAY(
      -- By the index of delayed jobs, few of the farm's, and not through the whole batch: hence the + 0.
      SELECT j.id FROM job AS j WHERE j.run_at IS NOT NULL AND j.batch_id + 0 = batch
      ORDER BY j.run_at LIMIT slice FOR UPDATE SKIP LOCKED);
    IF cardinality(ids) = 0 THEN RETURN NULL; END IF;
    last := after;
  END IF;
  WITH ended AS (
    UPDATE job AS j SET ready = false, run_at = NULL, outcome = 3, finished_at = clock_timestamp()
    WHERE j.id = ANY (ids)
    RETURNING j.id
  )
  INSERT INTO tally (batch_id, cancelled) SELECT batch, count(*) FROM ended;
  RETURN last;
END
$$;
