DELETE FROM function_right WHERE function_name IN ('host_evidence', 'begin_judgement', 'put_aside',
  'allow_host', 'farm_memory', 'heavy_waiting', 'attempt_endings', 'asides');
DROP FUNCTION register_worker(text, text, integer, bigint, text, integer, integer, text[], bigint, bigint);
CREATE FUNCTION register_worker(
  new_host text, new_boot_id text, new_pid integer, new_start_ticks bigint, new_version text,
  new_slots integer, new_threads integer, new_roots text[]
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO worker (host, boot_id, pid, start_ticks, version, slots, threads, roots)
  VALUES (new_host, new_boot_id, new_pid, new_start_ticks, new_version, new_slots, new_threads,
    new_roots)
  RETURNING id
$$;
DROP FUNCTION claim_jobs(bigint, integer, uuid[], bigint, bigint);
CREATE FUNCTION claim_jobs(for_worker bigint, wanted integer, tokens uuid[]) RETURNS TABLE (
  id bigint, attempt integer, token uuid, batch_id bigint, input_root text, input_path bytea,
  input_size bigint, input_mtime_ns bigint, recipe_digest bytea, output_ids text[],
  output_roots text[], output_paths bytea[], failures smallint, crashes smallint,
  host_faults integer, maximum_attempts smallint, maximum_crashes smallint,
  maximum_host_faults integer, base_delay_ms bigint, maximum_delay_ms bigint, replaces boolean,
  kept_root text, kept_path bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  own_roots text[];
  most integer := 8;
  batches bigint[];
  rooms integer[];
  capped bigint[];
BEGIN
  SELECT w.roots INTO own_roots FROM worker AS w WHERE w.id = for_worker AND w.state = 0;
  IF NOT FOUND THEN RETURN; END IF;
  LOOP
    SELECT array_agg(c.id), array_agg(c.id ORDER BY c.id) FILTER (WHERE c.maximum_running IS NOT NULL)
    INTO batches, capped
    FROM (
      SELECT b.id, b.maximum_running FROM batch AS b
      WHERE b.state = 0 AND b.has_ready AND b.roots <@ own_roots
        AND NOT EXISTS (SELECT FROM batch AS a WHERE a.id = b.after_batch AND a.state <> 3)
      ORDER BY
        b.priority + floor(extract(epoch FROM now() - b.created_at) / b.aging_seconds) DESC,
        -ln(1 - random()) / b.weight
      LIMIT most
    ) AS c;
    IF batches IS NULL THEN RETURN; END IF;
    IF capped IS NULL THEN
      rooms := array_fill(wanted, ARRAY[cardinality(batches)]);
    ELSE
      IF most IS NULL THEN
        PERFORM FROM batch AS b WHERE b.id = ANY (capped) ORDER BY b.id FOR NO KEY UPDATE;
      ELSE
        capped := ARRAY(
          SELECT b.id FROM batch AS b WHERE b.id = ANY (capped)
          ORDER BY b.id FOR NO KEY UPDATE SKIP LOCKED);
      END IF;
      -- A statement of its own after the locks, so that it sees what was committed before them.
      rooms := ARRAY(
        SELECT CASE
          WHEN b.state <> 0 THEN 0
          WHEN b.maximum_running IS NULL THEN wanted
          WHEN b.id = ANY (capped) THEN least(wanted, greatest(0, b.maximum_running - (
            SELECT count(*) FROM lease AS l WHERE l.batch_id = b.id)::integer))
          ELSE 0
        END
        FROM unnest(batches) WITH ORDINALITY AS c (id, place) CROSS JOIN LATERAL (
          SELECT * FROM batch AS b WHERE b.id = c.id OFFSET 0
        ) AS b ORDER BY c.place);
    END IF;
    RETURN QUERY
    WITH picked AS MATERIALIZED (
      SELECT j.id FROM unnest(batches, rooms) AS c (id, room)
      CROSS JOIN LATERAL (
        SELECT b.head_rank, b.head_id FROM batch AS b WHERE b.id = c.id OFFSET 0
      ) AS h CROSS JOIN LATERAL (
        SELECT j.id FROM job AS j
        WHERE j.batch_id = c.id AND j.ready
          AND (-j.priority::integer, j.id) >= (h.head_rank, h.head_id)
        ORDER BY -j.priority::integer, j.id
        LIMIT c.room FOR UPDATE SKIP LOCKED
      ) AS j LIMIT wanted
    ), taken AS (
      UPDATE job AS j SET ready = false, attempt = j.attempt + 1
      WHERE j.id = ANY (ARRAY(SELECT p.id FROM picked AS p))
      RETURNING j.*
    ), numbered AS MATERIALIZED (
      SELECT tokens[row_number() OVER ()] AS token, t.* FROM taken AS t
    ), leased AS (
      INSERT INTO lease (job_id, token, worker_id, attempt, batch_id)
      SELECT n.id, n.token, for_worker, n.attempt, n.batch_id FROM numbered AS n
    )
    SELECT n.id, n.attempt, n.token, n.batch_id, n.input_root, n.input_path, n.input_size,
      n.input_mtime_ns, n.recipe_digest, n.output_ids, n.output_roots, n.output_paths, n.failures,
      n.crashes, n.host_faults, b.maximum_attempts, b.maximum_crashes, b.maximum_host_faults,
      b.base_delay_ms, b.maximum_delay_ms, n.replaces, n.kept_root, n.kept_path
    FROM numbered AS n JOIN batch AS b ON b.id = n.batch_id
    ORDER BY n.id;
    IF FOUND OR most IS NULL THEN RETURN; END IF;
    -- All of them now, and capped ones that are locked are waited for.
    IF cardinality(batches) < most AND capped IS NULL THEN RETURN; END IF;
    most := NULL;
  END LOOP;
END
$$;
CREATE OR REPLACE FUNCTION complete_jobs(
  jobs bigint[], tokens uuid[], new_pixels bigint[], input_sizes bigint[], input_mtimes_ns bigint[],
  input_sha256s bytea[], resolved_digests bytea[], new_settings jsonb[], pixel_versions integer[],
  engine_versions text[], source_revisions text[], hosts text[], new_libraries jsonb[],
  new_stages jsonb[], peaks_of_memory bigint[]
) RETURNS TABLE (job_id bigint, is_repeated boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  effective bigint[];
BEGIN
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(jobs, tokens, new_pixels, input_sizes, input_mtimes_ns, input_sha256s,
      resolved_digests, new_settings, pixel_versions, engine_versions, source_revisions, hosts,
      new_libraries, new_stages, peaks_of_memory) AS g (job_id, token, pixels, input_size,
      input_mtime_ns, input_sha256, resolved_digest, resolved_settings, pixel_version,
      engine_version, source_revision, host, libraries, stages, peak_memory_bytes)
  ), held AS MATERIALIZED (
    -- Looked up one by one (OFFSET 0 keeps the planner from making it a join, which would read whole
    -- tables if it was planned while they were small), deleted and updated by their ids. Tokens are
    -- unique, so that pairs of ids and tokens need not be compared.
    SELECT l.*, j.*, g.* FROM given AS g CROSS JOIN LATERAL (
      SELECT attempt, worker_id, claimed_at, batch_id FROM lease
      WHERE job_id = g.job_id AND token = g.token OFFSET 0
    ) AS l CROSS JOIN LATERAL (
      SELECT input_root, input_path, recipe_digest FROM job WHERE id = g.job_id OFFSET 0
    ) AS j
  ), deleted AS (
    DELETE FROM lease
    WHERE job_id = ANY (ARRAY(SELECT job_id FROM held))
      AND token = ANY (ARRAY(SELECT token FROM held))
    RETURNING job_id
  ), freed AS MATERIALIZED (
    SELECT * FROM held WHERE job_id = ANY (ARRAY(SELECT job_id FROM deleted))
  ), ended AS (
    UPDATE job SET outcome = 1, finished_at = clock_timestamp()
    WHERE id = ANY (ARRAY(SELECT job_id FROM freed))
  ), intended AS MATERIALIZED (
    -- Nobody else changes them: that takes the lease.
    SELECT f.batch_id, o.* FROM freed AS f CROSS JOIN LATERAL (
      SELECT ctid AS place, size, attempt = f.attempt AS is_own FROM output
      WHERE job_id = f.job_id AND attempt <= f.attempt OFFSET 0
    ) AS o
  ), published AS (
    UPDATE output SET published_at = clock_timestamp()
    WHERE ctid = ANY (ARRAY(SELECT place FROM intended WHERE is_own))
  ), superseded AS (
    DELETE FROM output WHERE ctid = ANY (ARRAY(SELECT place FROM intended WHERE NOT is_own))
  ), recorded AS (
    INSERT INTO provenance (
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels,
      peak_memory_bytes)
    SELECT
      job_id, attempt, token, batch_id, worker_id, host, claimed_at, input_root, input_path,
      input_size, input_mtime_ns, input_sha256, recipe_digest, resolved_digest, resolved_settings,
      pixel_version, engine_version, source_revision, libraries, stages, pixels, peak_memory_bytes
    FROM freed
  ), tallied AS (
    INSERT INTO tally (batch_id, done, pixels, input_bytes, output_bytes)
    SELECT batch_id, sum(done), sum(pixels), sum(input_bytes), sum(output_bytes) FROM (
      SELECT batch_id, 1 AS done, pixels, input_size AS input_bytes, 0 AS output_bytes FROM freed
      UNION ALL
      SELECT batch_id, 0, 0, 0, size FROM intended WHERE is_own
    ) AS parts GROUP BY batch_id
  )
  SELECT coalesce(array_agg(job_id), '{}') INTO effective FROM freed;
  RETURN QUERY SELECT unnest(effective), false;
  IF cardinality(effective) < cardinality(jobs) THEN
    RETURN QUERY
      SELECT g.job_id, true FROM unnest(jobs, tokens) AS g (job_id, token)
      WHERE g.job_id <> ALL (effective) AND EXISTS (
        SELECT FROM provenance AS p WHERE p.job_id = g.job_id AND p.token = g.token OFFSET 0);
  END IF;
END
$$;
DROP FUNCTION fail_jobs(bigint[], uuid[], smallint[], text[], text[], bigint[], bigint[]);
CREATE FUNCTION fail_jobs(
  jobs bigint[], tokens uuid[], classes smallint[], codes text[], messages text[],
  delays_ms bigint[]
) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH freed AS MATERIALIZED (
    SELECT * FROM free_leases(jobs, tokens)
  ), decided AS MATERIALIZED (
    SELECT f.*, g.class, g.code, g.message, g.delay_ms,
      CASE WHEN g.delay_ms IS NULL THEN 2 WHEN b.state = 2 THEN 3 END::smallint AS outcome
    FROM unnest(tokens, classes, codes, messages, delays_ms)
      AS g (token, class, code, message, delay_ms)
    JOIN freed AS f ON f.token = g.token JOIN batch AS b ON b.id = f.batch_id
  ), ended AS (
    UPDATE job AS j SET
      failures = j.failures + (d.class IN (1, 2, 3))::int,
      host_faults = j.host_faults + (d.class = 4)::int,
      crashes = j.crashes + (d.class = 5)::int,
      outcome = d.outcome,
      finished_at = CASE WHEN d.outcome IS NOT NULL THEN clock_timestamp() END,
      run_at = CASE WHEN d.outcome IS NULL
        THEN clock_timestamp() + make_interval(secs => d.delay_ms / 1000.0) END
    FROM decided AS d
    WHERE j.id = ANY (ARRAY(SELECT job_id FROM decided)) AND j.id = d.job_id
    RETURNING d.*
  ), remembered AS (
    INSERT INTO attempt (
      job_id, attempt, batch_id, worker_id, claimed_at, ending, class, code, message)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at,
      CASE outcome WHEN 2 THEN 2 WHEN 3 THEN 4 ELSE 1 END, class, code, message
    FROM ended
  ), listed AS (
    INSERT INTO failure (job_id, batch_id, attempt, class, code, message)
    SELECT job_id, batch_id, attempt, class, code, message FROM ended WHERE outcome = 2
    ON CONFLICT (job_id) DO UPDATE SET batch_id = excluded.batch_id, attempt = excluded.attempt,
      class = excluded.class, code = excluded.code, message = excluded.message,
      failed_at = excluded.failed_at
  ), tallied AS (
    INSERT INTO tally (batch_id, failed, cancelled)
    SELECT batch_id, count(*) FILTER (WHERE outcome = 2), count(*) FILTER (WHERE outcome = 3)
    FROM ended WHERE outcome IS NOT NULL GROUP BY batch_id
  )
  SELECT job_id FROM ended;
END
$$;
CREATE OR REPLACE FUNCTION keep_house(lost_batches bigint[], lost_beats bigint[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('rawmill.maintenance.' || current_schema, 0))
  THEN
    RETURN false;
  END IF;
  UPDATE batch AS b SET sealed = true
  FROM unnest(lost_batches, lost_beats) AS g (id, beat)
  WHERE b.id = g.id AND b.submission_beat = g.beat AND NOT b.sealed;
  WITH taken AS (DELETE FROM tally RETURNING *)
  INSERT INTO progress AS p (
    batch_id, done, failed, cancelled, skipped, pixels, input_bytes, output_bytes)
  SELECT batch_id, sum(done), sum(failed), sum(cancelled), sum(skipped), sum(pixels),
    sum(input_bytes), sum(output_bytes)
  FROM taken GROUP BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET
    done = p.done + excluded.done, failed = p.failed + excluded.failed,
    cancelled = p.cancelled + excluded.cancelled, skipped = p.skipped + excluded.skipped,
    pixels = p.pixels + excluded.pixels, input_bytes = p.input_bytes + excluded.input_bytes,
    output_bytes = p.output_bytes + excluded.output_bytes;
  PERFORM close_batches();
  RETURN true;
END
$$;
DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT p.oid::regprocedure AS function FROM pg_proc AS p
    WHERE p.pronamespace = current_schema::regnamespace AND p.proname IN (
      'beat_worker', 'hint_batches', 'claim_jobs', 'free_leases', 'publish_intents',
      'complete_jobs', 'completed_with', 'record_proofs', 'record_statistics', 'fail_jobs',
      'release_jobs', 'stop_jobs', 'orphaned_leases', 'release_forgotten', 'promote_jobs',
      'tidy_batches', 'known_jobs', 'known_outputs', 'enqueue_staged')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode TO force_generic_plan', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan TO off', item.function);
    EXECUTE format('ALTER FUNCTION %s SET jit TO off', item.function);
  END LOOP;
END
$$;
DROP FUNCTION asides, delete_batch, prune_partitions, attempt_endings, heavy_waiting, farm_memory, allow_host,
  put_aside, begin_judgement, host_evidence, pause_failing, fold_tally;
DROP TABLE judgement, set_aside, host_count;
DROP INDEX attempt_trouble, attempt_trouble_of_batch;
ALTER TABLE progress DROP COLUMN last_done_at;
ALTER TABLE tally DROP COLUMN worker_id, DROP COLUMN troubled;
ALTER TABLE worker DROP COLUMN slot_memory, DROP COLUMN memory;
DROP INDEX job_heavy;
ALTER TABLE job DROP COLUMN memory_floor;
