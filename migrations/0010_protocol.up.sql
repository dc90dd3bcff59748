-- The protocol as functions: workers have no right on any table, only EXECUTE on these.
--
-- Functions run with their owner's rights. Their plans are made once for a session, perhaps while the
-- tables are empty, and stay: so they are generic, and neither join by hashing or merging nor read a
-- table as a whole where an index serves (the end of this file). That alone does not do: a table that
-- seems small is joined by reading its index from end to end. So an update names its rows by
-- id = ANY (ARRAY(…)), and what belongs to a row is looked up by LATERAL (… OFFSET 0).
--
-- The right to decide a job is its lease's token: every function that ends or publishes one names it.
-- To extend the ends of attempts, replace fail_jobs, release_jobs or stop_jobs; free_leases is the fence
-- that they share (complete_jobs has it written out, to save a list). Whoever makes jobs ready calls hint_batches with them afterwards.

ALTER TABLE batch
  -- No ready job comes before this place in the order of claims, but for those that a claim holds: claims
  -- start here, and need not cross what is dead while an old snapshot keeps it.
  ADD COLUMN head_rank integer NOT NULL DEFAULT -32768,
  ADD COLUMN head_id bigint NOT NULL DEFAULT 0,
  -- Counts what its submitter does until it seals the batch itself; NULL from then on.
  ADD COLUMN submission_beat bigint DEFAULT 0;
UPDATE batch SET submission_beat = NULL WHERE sealed;

-- In the order of claims, ascending, so that a place in it is one row comparison.
DROP INDEX job_ready;
CREATE INDEX job_ready ON job (batch_id, (-priority::integer), id) WHERE ready;

INSERT INTO function_right VALUES
  ('schema_version', 'rawmill_worker'), ('schema_version', 'rawmill_submitter'),
  ('schema_version', 'rawmill_reader'), ('ensure_partitions', 'rawmill_worker'),
  ('register_worker', 'rawmill_worker'), ('beat_worker', 'rawmill_worker'),
  ('set_worker_state', 'rawmill_worker'), ('live_workers', 'rawmill_worker'),
  ('workers_on_host', 'rawmill_worker'), ('bury_workers', 'rawmill_worker'),
  ('claim_jobs', 'rawmill_worker'), ('missing_roots', 'rawmill_worker'),
  ('recipes', 'rawmill_worker'), ('lock_lease', 'rawmill_worker'),
  ('publish_intents', 'rawmill_worker'), ('intend_replacement', 'rawmill_worker'),
  ('replacement_of_job', 'rawmill_worker'), ('complete_jobs', 'rawmill_worker'),
  ('complete_replacements', 'rawmill_worker'), ('record_proofs', 'rawmill_worker'),
  ('record_statistics', 'rawmill_worker'), ('fail_jobs', 'rawmill_worker'),
  ('release_jobs', 'rawmill_worker'), ('stop_jobs', 'rawmill_worker'),
  ('orphaned_leases', 'rawmill_worker'), ('release_forgotten', 'rawmill_worker'),
  ('abandoned_jobs', 'rawmill_worker'), ('promote_jobs', 'rawmill_worker'),
  ('open_submissions', 'rawmill_worker'), ('keep_house', 'rawmill_worker'),
  ('tidy_batches', 'rawmill_worker'), ('sweep_cancelled', 'rawmill_worker'),
  -- Who cancels a batch sweeps it; a worker keeps house.
  ('sweep_batch', 'rawmill_submitter'), ('sweep_batch', 'rawmill_worker'),
  ('create_batch', 'rawmill_submitter'), ('beat_submission', 'rawmill_submitter'),
  ('seal_batch', 'rawmill_submitter'), ('register_recipes', 'rawmill_submitter'),
  ('known_jobs', 'rawmill_submitter'), ('known_outputs', 'rawmill_submitter'),
  ('open_staging', 'rawmill_submitter'), ('enqueue_staged', 'rawmill_submitter');

-- Which migrations this schema has.
CREATE FUNCTION schema_version() RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(max(version), 0) FROM migration
$$;

-- Workers.

CREATE FUNCTION register_worker(
  new_host text, new_boot_id text, new_pid integer, new_start_ticks bigint, new_version text,
  new_slots integer, new_threads integer, new_roots text[], new_slot_memory bigint,
  new_memory bigint
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO worker (host, boot_id, pid, start_ticks, version, slots, threads, roots, slot_memory,
    memory)
  VALUES (new_host, new_boot_id, new_pid, new_start_ticks, new_version, new_slots, new_threads,
    new_roots, new_slot_memory, new_memory)
  RETURNING id
$$;

-- One heap-only update; the leases are looked up by the ids that the worker names. No row: it is dead.
CREATE FUNCTION beat_worker(
  for_worker bigint, jobs bigint[], tokens uuid[],
  OUT state smallint, OUT cancelled bigint[], OUT lost bigint[]
) RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  UPDATE worker AS w SET beat = w.beat + 1, beat_at = clock_timestamp()
  WHERE w.id = for_worker AND w.state < 2
  RETURNING w.state INTO beat_worker.state;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(array_agg(h.job_id) FILTER (WHERE h.batch_state = 2), '{}'),
    coalesce(array_agg(h.job_id) FILTER (WHERE h.batch_state IS NULL), '{}')
  INTO beat_worker.cancelled, beat_worker.lost
  FROM (
    SELECT g.job_id, (
      SELECT b.state FROM lease AS l JOIN batch AS b ON b.id = l.batch_id
      WHERE l.job_id = g.job_id AND l.token = g.token
    ) AS batch_state
    FROM unnest(jobs, tokens) AS g (job_id, token)
  ) AS h;
  RETURN NEXT;
END
$$;

-- States only rise; leases that a dead worker still has are rescued.
CREATE FUNCTION set_worker_state(for_worker bigint, new_state smallint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE worker SET state = new_state, ended_at = CASE WHEN new_state = 2 THEN clock_timestamp() END
  WHERE id = for_worker AND state < new_state
$$;

CREATE FUNCTION live_workers() RETURNS TABLE (id bigint, beat bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT w.id, w.beat FROM worker AS w WHERE w.state < 2 ORDER BY w.id
$$;

CREATE FUNCTION workers_on_host(of_host text) RETURNS TABLE (
  id bigint, boot_id text, pid integer, start_ticks bigint, version text, slots integer,
  threads integer, roots text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT w.id, w.boot_id, w.pid, w.start_ticks, w.version, w.slots, w.threads, w.roots
  FROM worker AS w WHERE w.state < 2 AND w.host = of_host ORDER BY w.id
$$;

-- Declares workers dead whose beat is still the one that was seen; one that moved since proves life.
CREATE FUNCTION bury_workers(workers bigint[], beats bigint[]) RETURNS SETOF bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE worker AS w SET state = 2, ended_at = clock_timestamp()
  FROM unnest(workers, beats) AS g (id, beat)
  WHERE w.id = g.id AND w.beat = g.beat AND w.state < 2
  RETURNING w.id
$$;

-- Claims.

-- Says of jobs that were made ready that their batches have such, and moves the head of these batches
-- back to them. Always updates: the row's lock keeps others from taking the hint away meanwhile.
CREATE FUNCTION hint_batches(readied bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE batch AS b SET has_ready = true,
    head_rank = CASE WHEN (r.rank, r.id) < (b.head_rank, b.head_id) THEN r.rank ELSE b.head_rank END,
    head_id = CASE WHEN (r.rank, r.id) < (b.head_rank, b.head_id) THEN r.id ELSE b.head_id END
  FROM (
    SELECT DISTINCT ON (j.batch_id) j.batch_id, -j.priority::integer AS rank, j.id
    FROM job AS j WHERE j.id = ANY (readied) AND j.ready
    ORDER BY j.batch_id, -j.priority::integer, j.id
  ) AS r
  WHERE b.id = r.batch_id
$$;

-- Chooses batches by aged priority and weighted chance, locks their first ready jobs, and leases them
-- with the tokens given. No row: the worker is not active, or there is nothing for it.
--
-- A batch needs all its roots, and its predecessor finished. A batch with a cap is locked until the
-- transaction ends, and its leases counted under the lock, so that the cap holds exactly; others are
-- not locked. A capped batch that another claim has locked is passed over as long as there is other
-- work. Looks at 8 batches, and at all others only if these had nothing.
--
-- Nothing for a host or with a root that is set aside; of jobs that need more memory than memory_above, and
-- no more than memory_up_to. Without a lower bound (-1) it is a claim for slots.
CREATE FUNCTION claim_jobs(
  for_worker bigint, wanted integer, tokens uuid[], memory_above bigint, memory_up_to bigint
) RETURNS TABLE (
  id bigint, attempt integer, token uuid, batch_id bigint, input_root text, input_path bytea,
  input_size bigint, input_mtime_ns bigint, recipe_digest bytea, output_ids text[],
  output_roots text[], output_paths bytea[], failures smallint, crashes smallint,
  host_faults integer, maximum_attempts smallint, maximum_crashes smallint,
  maximum_host_faults integer, base_delay_ms bigint, maximum_delay_ms bigint, replaces boolean,
  kept_root text, kept_path bytea, memory_floor bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  own_roots text[];
  own_host text;
  most integer := 8;
  batches bigint[];
  heads bigint[];
  rooms integer[];
  capped bigint[];
  picked bigint[];
  places integer[];
BEGIN
  SELECT w.roots, w.host INTO own_roots, own_host FROM worker AS w WHERE w.id = for_worker AND w.state = 0;
  IF NOT FOUND THEN RETURN; END IF;
  LOOP
    SELECT array_agg(c.id), array_agg(c.head_id),
      array_agg(c.id ORDER BY c.id) FILTER (WHERE c.maximum_running IS NOT NULL)
    INTO batches, heads, capped
    FROM (
      SELECT b.id, b.head_id, b.maximum_running FROM batch AS b
      WHERE b.state = 0 AND b.has_ready AND b.roots <@ own_roots
        AND NOT EXISTS (SELECT FROM batch AS a WHERE a.id = b.after_batch AND a.state <> 3)
        AND NOT EXISTS (
          SELECT FROM set_aside AS x WHERE x.host = own_host AND x.until > clock_timestamp()
            AND (x.root = '' OR x.root = ANY (b.roots)))
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
    IF memory_above >= 0 THEN
      -- Jobs that need more than a slot have an index of their own: nothing else is passed.
      picked := ARRAY(
        SELECT j.id FROM unnest(batches, rooms) AS c (id, room) CROSS JOIN LATERAL (
          SELECT j.id FROM job AS j
          WHERE j.batch_id = c.id AND j.ready AND j.memory_floor > 0
            AND j.memory_floor > memory_above AND j.memory_floor <= memory_up_to
          ORDER BY j.memory_floor LIMIT c.room FOR UPDATE SKIP LOCKED
        ) AS j LIMIT wanted);
    ELSE
      SELECT array_agg(p.id), array_agg(p.place) INTO picked, places FROM (
        SELECT j.id, c.place FROM unnest(batches, rooms) WITH ORDINALITY AS c (id, room, place)
        CROSS JOIN LATERAL (
          SELECT b.head_rank, b.head_id FROM batch AS b WHERE b.id = c.id OFFSET 0
        ) AS h CROSS JOIN LATERAL (
          SELECT j.id FROM job AS j
          WHERE j.batch_id = c.id AND j.ready
            AND (-j.priority::integer, j.id) >= (h.head_rank, h.head_id)
            AND j.memory_floor <= memory_up_to
          ORDER BY -j.priority::integer, j.id
          LIMIT c.room FOR UPDATE SKIP LOCKED
        ) AS j LIMIT wanted
      ) AS p;
    END IF;
    RETURN QUERY
    WITH taken AS (
      UPDATE job AS j SET ready = false, attempt = j.attempt + 1
      WHERE j.id = ANY (picked)
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
      b.base_delay_ms, b.maximum_delay_ms, n.replaces, n.kept_root, n.kept_path,
      n.memory_floor
    FROM numbered AS n JOIN batch AS b ON b.id = n.batch_id
    ORDER BY n.id;
    IF FOUND THEN
      -- Each claim reads the index from the head on: what others have taken since is not to grow.
      IF picked[1] > heads[places[1]] + 1000 THEN
        PERFORM advance_head(batches[places[1]]);
      END IF;
      RETURN;
    END IF;
    IF most IS NULL THEN RETURN; END IF;
    -- All of them now, and capped ones that are locked are waited for.
    IF cardinality(batches) < most AND capped IS NULL THEN RETURN; END IF;
    most := NULL;
  END LOOP;
END
$$;

-- Roots that batches with ready jobs need and that a worker does not have.
CREATE FUNCTION missing_roots(for_worker bigint) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT DISTINCT r.root FROM batch AS b CROSS JOIN LATERAL unnest(b.roots) AS r (root)
  WHERE b.state = 0 AND b.has_ready
    AND NOT EXISTS (SELECT FROM worker AS w WHERE w.id = for_worker AND r.root = ANY (w.roots))
  ORDER BY r.root
$$;

CREATE FUNCTION recipes(digests bytea[]) RETURNS TABLE (digest bytea, canonical text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT r.digest, r.canonical FROM recipe AS r WHERE r.digest = ANY (digests)
$$;

-- The fence.

-- Deletes leases that are named with their tokens, and gives those that were there: who gets a row
-- decides its job. Tokens are unique, so that pairs of ids and tokens need not be compared. In order of
-- jobs, so that those who free the same ones do not wait for each other in a ring.
CREATE FUNCTION free_leases(jobs bigint[], tokens uuid[]) RETURNS TABLE (
  job_id bigint, token uuid, worker_id bigint, attempt integer, batch_id bigint,
  claimed_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    DELETE FROM lease AS l WHERE l.job_id = ANY (ARRAY(
      SELECT h.job_id FROM lease AS h WHERE h.job_id = ANY (jobs) AND h.token = ANY (tokens)
      ORDER BY h.job_id FOR UPDATE))
    AND l.token = ANY (tokens)
    RETURNING l.job_id, l.token, l.worker_id, l.attempt, l.batch_id, l.claimed_at;
END
$$;

-- Holds off whoever else would decide a job until the transaction ends; gives the attempt, or NULL if
-- the lease is lost.
CREATE FUNCTION lock_lease(job bigint, lease_token uuid) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT l.attempt FROM lease AS l WHERE l.job_id = job AND l.token = lease_token FOR UPDATE
$$;

-- Publishing.

-- Commits, under the lease's lock, what an attempt is about to publish. The first row is the attempt's
-- own number alone; no row: the lease is lost. Then what earlier attempts of the job named.
CREATE FUNCTION publish_intents(
  job bigint, lease_token uuid, new_ids text[], new_roots text[], new_paths bytea[],
  new_sizes bigint[], new_sha256s bytea[], new_widths integer[], new_heights integer[],
  new_formats text[], new_color_spaces text[], new_bit_depths smallint[]
) RETURNS TABLE (
  output_id text, root text, path bytea, size bigint, sha256 bytea, width integer, height integer,
  format text, color_space text, bit_depth smallint, attempt integer, is_published boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  own_attempt CONSTANT integer := lock_lease(job, lease_token);
BEGIN
  IF own_attempt IS NULL THEN RETURN; END IF;
  publish_intents.attempt := own_attempt;
  RETURN NEXT;
  RETURN QUERY
    SELECT o.output_id, o.root, o.path, o.size, o.sha256, o.width, o.height, o.format,
      o.color_space, o.bit_depth, o.attempt, o.published_at IS NOT NULL
    FROM output AS o WHERE o.job_id = job AND o.attempt < own_attempt
    ORDER BY o.attempt, o.output_id;
  INSERT INTO output (job_id, attempt, output_id, root, path, size, sha256, width, height, format,
    color_space, bit_depth)
  SELECT job, own_attempt, g.* FROM unnest(new_ids, new_roots, new_paths, new_sizes, new_sha256s,
    new_widths, new_heights, new_formats, new_color_spaces, new_bit_depths) AS g
  ON CONFLICT (job_id, attempt, output_id) DO UPDATE SET
    root = excluded.root, path = excluded.path, size = excluded.size, sha256 = excluded.sha256,
    width = excluded.width, height = excluded.height, format = excluded.format,
    color_space = excluded.color_space, bit_depth = excluded.bit_depth;
END
$$;

-- Records a replacement as an intent; false: the lease is lost.
CREATE FUNCTION intend_replacement(
  job bigint, lease_token uuid, new_root text, new_path bytea, new_original_size bigint,
  new_original_mtime_ns bigint, new_original_inode bigint, new_original_mode integer,
  new_original_owner bigint, new_original_group bigint, new_original_sha256 bytea, new_size bigint,
  new_sha256 bytea, new_kept_root text, new_kept_path bytea, new_report jsonb
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  own_attempt CONSTANT integer := lock_lease(job, lease_token);
BEGIN
  IF own_attempt IS NULL THEN RETURN false; END IF;
  INSERT INTO replacement (job_id, attempt, root, path, recipe_digest, original_size,
    original_mtime_ns, original_inode, original_mode, original_owner, original_group,
    original_sha256, size, sha256, kept_root, kept_path, report)
  SELECT j.id, own_attempt, new_root, new_path, j.recipe_digest, new_original_size,
    new_original_mtime_ns, new_original_inode, new_original_mode, new_original_owner,
    new_original_group, new_original_sha256, new_size, new_sha256, new_kept_root, new_kept_path,
    new_report
  FROM job AS j WHERE j.id = intend_replacement.job
  ON CONFLICT (job_id) DO UPDATE SET
    attempt = excluded.attempt, root = excluded.root, path = excluded.path,
    recipe_digest = excluded.recipe_digest, original_size = excluded.original_size,
    original_mtime_ns = excluded.original_mtime_ns, original_inode = excluded.original_inode,
    original_mode = excluded.original_mode, original_owner = excluded.original_owner,
    original_group = excluded.original_group, original_sha256 = excluded.original_sha256,
    size = excluded.size, sha256 = excluded.sha256, kept_root = excluded.kept_root,
    kept_path = excluded.kept_path, report = excluded.report,
    intended_at = excluded.intended_at, replaced_at = NULL, restored_at = NULL;
  RETURN true;
END
$$;

-- The replacement that a job intended or made.
CREATE FUNCTION replacement_of_job(job bigint) RETURNS SETOF replacement
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT * FROM replacement AS r WHERE r.job_id = job
$$;

-- Ends of attempts.

-- Ends jobs as done: outcome, outputs, provenance. Gives the jobs for which that took effect, now or when
-- the same was said before (is_repeated): after a lost connection the call is repeated as it was.
CREATE FUNCTION complete_jobs(
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
    SELECT f.batch_id, f.worker_id, o.* FROM freed AS f CROSS JOIN LATERAL (
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
    INSERT INTO tally (batch_id, worker_id, done, pixels, input_bytes, output_bytes)
    SELECT batch_id, worker_id, sum(done), sum(pixels), sum(input_bytes), sum(output_bytes) FROM (
      SELECT batch_id, worker_id, 1 AS done, pixels, input_size AS input_bytes, 0 AS output_bytes
      FROM freed
      UNION ALL
      SELECT batch_id, worker_id, 0, 0, 0, size FROM intended WHERE is_own
    ) AS parts GROUP BY batch_id, worker_id
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

-- What follows adds to jobs that were completed with a token, by whoever knows it, in the transaction of
-- their completion.

-- Of some jobs, those that were completed with the tokens given, with their attempts.
CREATE FUNCTION completed_with(jobs bigint[], tokens uuid[])
RETURNS TABLE (job_id bigint, attempt integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT p.job_id, p.attempt FROM provenance AS p
  WHERE p.job_id = ANY (jobs) AND p.token = ANY (tokens)
$$;

CREATE FUNCTION complete_replacements(jobs bigint[], tokens uuid[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE replacement AS r SET replaced_at = clock_timestamp()
  WHERE r.job_id = ANY (ARRAY(SELECT c.job_id FROM completed_with(jobs, tokens) AS c))
    AND r.replaced_at IS NULL
$$;

-- Records proofs; a job that is done again has the proof of its last attempt.
CREATE FUNCTION record_proofs(
  jobs bigint[], tokens uuid[], output_ids text[], verdicts text[], input_sizes bigint[],
  output_sizes bigint[], input_sha256s bytea[], output_sha256s bytea[],
  input_samples_sha256s bytea[], output_samples_sha256s bytea[], new_samples bigint[],
  new_differing bigint[], new_worst_codes double precision[], new_rms_codes double precision[],
  new_worst_sigma double precision[], new_rms_sigma double precision[],
  new_worst_half_steps double precision[], new_psnr double precision[], new_tags jsonb[]
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO proof (job_id, attempt, output_id, verdict, input_size, output_size, input_sha256,
    output_sha256, input_samples_sha256, output_samples_sha256, samples, differing, worst_codes,
    rms_codes, worst_sigma, rms_sigma, worst_half_steps, psnr, tags)
  SELECT c.job_id, c.attempt, g.output_id, g.verdict, g.input_size, g.output_size, g.input_sha256,
    g.output_sha256, g.input_samples_sha256, g.output_samples_sha256, g.samples, g.differing,
    g.worst_codes, g.rms_codes, g.worst_sigma, g.rms_sigma, g.worst_half_steps, g.psnr, g.tags
  FROM unnest(jobs, output_ids, verdicts, input_sizes, output_sizes, input_sha256s, output_sha256s,
      input_samples_sha256s, output_samples_sha256s, new_samples, new_differing, new_worst_codes,
      new_rms_codes, new_worst_sigma, new_rms_sigma, new_worst_half_steps, new_psnr, new_tags)
    AS g (job_id, output_id, verdict, input_size, output_size, input_sha256, output_sha256,
      input_samples_sha256, output_samples_sha256, samples, differing, worst_codes, rms_codes,
      worst_sigma, rms_sigma, worst_half_steps, psnr, tags)
  JOIN completed_with(jobs, tokens) AS c ON c.job_id = g.job_id
  ON CONFLICT (job_id, output_id) DO UPDATE SET
    attempt = excluded.attempt, verdict = excluded.verdict, input_size = excluded.input_size,
    output_size = excluded.output_size, input_sha256 = excluded.input_sha256,
    output_sha256 = excluded.output_sha256, input_samples_sha256 = excluded.input_samples_sha256,
    output_samples_sha256 = excluded.output_samples_sha256, samples = excluded.samples,
    differing = excluded.differing, worst_codes = excluded.worst_codes,
    rms_codes = excluded.rms_codes, worst_sigma = excluded.worst_sigma,
    rms_sigma = excluded.rms_sigma, worst_half_steps = excluded.worst_half_steps,
    psnr = excluded.psnr, tags = excluded.tags
$$;

-- Records statistics; a job that is done again has those of its last attempt.
CREATE FUNCTION record_statistics(
  jobs bigint[], tokens uuid[], output_ids text[], new_rows jsonb[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  again CONSTANT bigint[] := ARRAY(
    SELECT c.job_id FROM completed_with(jobs, tokens) AS c WHERE c.attempt > 1);
BEGIN
  IF cardinality(again) > 0 THEN
    DELETE FROM photo_statistics WHERE job_id = ANY (again);
    DELETE FROM plane_statistics WHERE job_id = ANY (again);
    DELETE FROM plane_histogram WHERE job_id = ANY (again);
  END IF;
  WITH given AS MATERIALIZED (
    SELECT c.job_id, c.attempt, g.output_id, g.rows, j.batch_id, j.input_root, j.input_path,
      clock_timestamp() AS measured_at,
      decode(g.rows->>'linearizationTable', 'hex') AS linearization
    FROM unnest(jobs, output_ids, new_rows) AS g (job_id, output_id, rows)
    JOIN completed_with(jobs, tokens) AS c ON c.job_id = g.job_id
    CROSS JOIN LATERAL (
      SELECT batch_id, input_root, input_path FROM job WHERE id = c.job_id OFFSET 0
    ) AS j
  ), linearizations AS (
    INSERT INTO linearization (sha256, levels)
    SELECT t.sha256, ARRAY(
      SELECT get_byte(t.linearization, 2 * i) * 256 + get_byte(t.linearization, 2 * i + 1)
      FROM generate_series(0, octet_length(t.linearization) / 2 - 1) AS i)
    FROM (
      SELECT DISTINCT ON (sha256(linearization)) sha256(linearization) AS sha256, linearization
      FROM given WHERE linearization IS NOT NULL ORDER BY sha256(linearization)
    ) AS t
    WHERE NOT EXISTS (SELECT FROM linearization l WHERE l.sha256 = t.sha256)
    ON CONFLICT DO NOTHING
  ), photos AS (
    INSERT INTO photo_statistics (
      job_id, output_id, measured_at, attempt, batch_id, input_root, input_path, path, make, model, camera,
      lens, iso, exposure_time, f_number, focal_length, captured_at, layout, bits_per_sample,
      sample_format, levels_per_unit, area_left, area_top, area_width, area_height, limiting_plane,
      headroom_ev, green_ratio, green_local_difference, grey_world_neutral, white_patch_neutral,
      as_shot_neutral, linearization_sha256)
    SELECT job_id, output_id, measured_at, attempt, batch_id, input_root, input_path,
      display_path(input_path),
      rows->'camera'->>'make', rows->'camera'->>'model',
      coalesce(rows->'camera'->>'uniqueCameraModel',
        nullif(concat_ws(' ', rows->'camera'->>'make', rows->'camera'->>'model'), '')),
      -- 0 says that the camera does not know.
      rows->'camera'->>'lensModel',
      CASE WHEN (rows->'camera'->>'isoSpeed')::bigint > 0
        THEN least((rows->'camera'->>'isoSpeed')::bigint, 2147483647)::int END,
      nullif((rows->>'exposureTimeSeconds')::float8, 0), nullif((rows->>'fNumber')::float8, 0),
      nullif((rows->>'focalLengthMillimetres')::float8, 0),
      exif_timestamp(rows->'camera'->>'dateTimeOriginal'), rows->>'layout',
      (rows->>'bitsPerSample')::smallint, rows->>'sampleFormat', (rows->>'levelsPerUnit')::float8,
      (rows->'area'->>'left')::int, (rows->'area'->>'top')::int, (rows->'area'->>'width')::int,
      (rows->'area'->>'height')::int, rows->>'limitingPlane', (rows->>'headroomEV')::float8,
      (rows->>'greenRatio')::float8, (rows->>'greenLocalDifference')::float8,
      CASE WHEN jsonb_typeof(rows->'greyWorldNeutral') = 'array'
        THEN ARRAY(SELECT jsonb_array_elements_text(rows->'greyWorldNeutral')::float8) END,
      CASE WHEN jsonb_typeof(rows->'whitePatchNeutral') = 'array'
        THEN ARRAY(SELECT jsonb_array_elements_text(rows->'whitePatchNeutral')::float8) END,
      CASE WHEN jsonb_typeof(rows->'asShotNeutral') = 'array'
        THEN ARRAY(SELECT jsonb_array_elements_text(rows->'asShotNeutral')::float8) END,
      sha256(linearization)
    FROM given
  ), plane AS MATERIALIZED (
    SELECT g.job_id, g.output_id, g.measured_at, g.batch_id, p.value AS p
    FROM given g CROSS JOIN LATERAL jsonb_array_elements(g.rows->'planes') AS p
  ), planes AS (
    INSERT INTO plane_statistics (
      job_id, output_id, measured_at, batch_id, plane, samples, black, white, minimum, maximum, mean,
      sigma, mean_ev, p0_01, p0_1, p1, p5, p25, p50, p75, p95, p99, p99_9, p99_99, clipped,
      saturation_level, saturated, underexposed, headroom_ev, masked_samples, masked_mean,
      masked_sigma, noise_slope, noise_offset, declared_noise_slope, declared_noise_offset,
      dynamic_range_ev, unit_snr_signal, snr_18, ev_counts, ev_clipped, ev_deeper, ev_not_positive)
    SELECT job_id, output_id, measured_at, batch_id, p->>'plane', (p->>'count')::bigint,
      (p->>'black')::float8, (p->>'white')::float8, (p->>'minimum')::int, (p->>'maximum')::int,
      (p->>'mean')::float8, (p->>'standardDeviation')::float8, (p->>'meanEV')::float8,
      (p->>'p0_01')::int, (p->>'p0_1')::int, (p->>'p1')::int, (p->>'p5')::int, (p->>'p25')::int,
      (p->>'p50')::int, (p->>'p75')::int, (p->>'p95')::int, (p->>'p99')::int, (p->>'p99_9')::int,
      (p->>'p99_99')::int, (p->>'clippedCount')::bigint, (p->>'saturationLevel')::int,
      (p->>'saturatedCount')::bigint, (p->>'underexposedCount')::bigint,
      (p->>'headroomEV')::float8, (p->'masked'->>'count')::bigint, (p->'masked'->>'mean')::float8,
      (p->'masked'->>'standardDeviation')::float8, (p->'noise'->>'slope')::float8,
      (p->'noise'->>'offset')::float8, (p->'declaredNoise'->>'slope')::float8,
      (p->'declaredNoise'->>'offset')::float8, (p->'noise'->>'dynamicRangeEV')::float8,
      (p->'noise'->>'signalOfUnitRatio')::float8, (p->'noise'->>'signalToNoiseAt18Percent')::float8,
      ARRAY(SELECT jsonb_array_elements_text(p->'exposure'->'counts')::bigint),
      (p->'exposure'->>'clipped')::bigint, (p->'exposure'->>'deeper')::bigint,
      (p->'exposure'->>'notPositive')::bigint
    FROM plane
  )
  INSERT INTO plane_histogram (
    job_id, output_id, measured_at, batch_id, plane, first_level, level_count, occupied, counts, bins)
  SELECT job_id, output_id, measured_at, batch_id, p->>'plane', (p->'histogram'->>'firstLevel')::int,
    (p->'histogram'->>'levelCount')::int, decode(p->'histogram'->>'occupied', 'hex'),
    decode(p->'histogram'->>'counts', 'hex'),
    CASE WHEN p ? 'bins' THEN ARRAY(SELECT jsonb_array_elements_text(p->'bins')::int) END
  FROM plane;
END
$$;

-- Ends attempts without a result. A job without a delay has failed for good; one of a batch that was
-- cancelled ends as cancelled where it would wait. memory_floors: what the next attempts must be given (0: as
-- much as before).
CREATE FUNCTION fail_jobs(
  jobs bigint[], tokens uuid[], classes smallint[], codes text[], messages text[],
  delays_ms bigint[], memory_floors bigint[]
) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH freed AS MATERIALIZED (
    SELECT * FROM free_leases(jobs, tokens)
  ), decided AS MATERIALIZED (
    SELECT f.*, g.class, g.code, g.message, g.delay_ms,
      g.memory_floor,
      CASE WHEN g.delay_ms IS NULL THEN 2 WHEN b.state = 2 THEN 3 END::smallint AS outcome
    FROM unnest(tokens, classes, codes, messages, delays_ms, memory_floors)
      AS g (token, class, code, message, delay_ms, memory_floor)
    JOIN freed AS f ON f.token = g.token JOIN batch AS b ON b.id = f.batch_id
  ), ended AS (
    UPDATE job AS j SET
      failures = j.failures + (d.class IN (1, 2, 3))::int,
      host_faults = j.host_faults + (d.class = 4)::int,
      crashes = j.crashes + (d.class = 5)::int,
      -- What needs more than a slot has comes last in its batch: claims for one slot pass no such jobs
      -- on their way to others.
      memory_floor = greatest(j.memory_floor, d.memory_floor),
      priority = CASE WHEN d.memory_floor > j.memory_floor THEN -32768 ELSE j.priority END,
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
    INSERT INTO tally (batch_id, worker_id, failed, cancelled, troubled)
    SELECT batch_id, worker_id, count(*) FILTER (WHERE outcome = 2),
      count(*) FILTER (WHERE outcome = 3), count(*) FILTER (WHERE class IN (2, 3, 5))
    FROM ended WHERE outcome IS NOT NULL OR class IN (2, 3, 5) GROUP BY batch_id, worker_id
  )
  SELECT job_id FROM ended;
END
$$;

-- Gives jobs back unspent: ready at once, unless their batch was cancelled.
CREATE FUNCTION release_jobs(jobs bigint[], tokens uuid[]) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  released bigint[];
BEGIN
  WITH freed AS MATERIALIZED (
    SELECT f.*, b.state = 2 AS is_cancelled
    FROM free_leases(jobs, tokens) AS f JOIN batch AS b ON b.id = f.batch_id
  ), ended AS (
    UPDATE job AS j SET
      ready = NOT f.is_cancelled,
      outcome = CASE WHEN f.is_cancelled THEN 3 END,
      finished_at = CASE WHEN f.is_cancelled THEN clock_timestamp() END
    FROM freed AS f WHERE j.id = ANY (ARRAY(SELECT job_id FROM freed)) AND j.id = f.job_id
    RETURNING f.*
  ), remembered AS (
    INSERT INTO attempt (job_id, attempt, batch_id, worker_id, claimed_at, ending)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at, 3 FROM ended
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled)
    SELECT batch_id, count(*) FROM ended WHERE is_cancelled GROUP BY batch_id
  )
  SELECT coalesce(array_agg(job_id), '{}') INTO released FROM ended;
  PERFORM hint_batches(released);
  RETURN QUERY SELECT unnest(released);
END
$$;

-- Ends running jobs that were told to stop.
CREATE FUNCTION stop_jobs(jobs bigint[], tokens uuid[]) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH freed AS MATERIALIZED (
    SELECT * FROM free_leases(jobs, tokens)
  ), ended AS (
    UPDATE job AS j SET outcome = 3, finished_at = clock_timestamp()
    FROM freed AS f WHERE j.id = ANY (ARRAY(SELECT job_id FROM freed)) AND j.id = f.job_id
    RETURNING f.*
  ), remembered AS (
    INSERT INTO attempt (job_id, attempt, batch_id, worker_id, claimed_at, ending)
    SELECT job_id, attempt, batch_id, worker_id, claimed_at, 4 FROM ended
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled) SELECT batch_id, count(*) FROM ended GROUP BY batch_id
  )
  SELECT job_id FROM ended;
END
$$;

-- Rescue.

-- Locks leases of workers that are dead, or of which there is no row any more; what becomes of their
-- jobs is for the caller to decide, who knows the policy, and to say to fail_jobs in this transaction.
CREATE FUNCTION orphaned_leases(most integer) RETURNS TABLE (
  job_id bigint, attempt integer, token uuid, worker_id bigint, failures smallint,
  crashes smallint, host_faults integer, maximum_attempts smallint, maximum_crashes smallint,
  maximum_host_faults integer, base_delay_ms bigint, maximum_delay_ms bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT l.job_id, l.attempt, l.token, l.worker_id, j.failures, j.crashes, j.host_faults,
      b.maximum_attempts, b.maximum_crashes, b.maximum_host_faults, b.base_delay_ms,
      b.maximum_delay_ms
    FROM lease AS l CROSS JOIN LATERAL (
      SELECT failures, crashes, host_faults FROM job WHERE id = l.job_id OFFSET 0
    ) AS j JOIN batch AS b ON b.id = l.batch_id
    WHERE NOT EXISTS (SELECT FROM worker AS w WHERE w.id = l.worker_id AND w.state < 2 OFFSET 0)
    ORDER BY l.job_id LIMIT most
    FOR UPDATE OF l SKIP LOCKED;
END
$$;

-- Gives back the leases of a worker that it does not know of: those of a claim whose answer was lost.
CREATE FUNCTION release_forgotten(for_worker bigint, held uuid[]) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  jobs bigint[];
  tokens uuid[];
BEGIN
  SELECT array_agg(l.job_id), array_agg(l.token) INTO jobs, tokens FROM lease AS l
  WHERE l.worker_id = for_worker AND l.token <> ALL (held);
  IF jobs IS NOT NULL THEN RETURN QUERY SELECT release_jobs(jobs, tokens); END IF;
END
$$;

-- Those of some jobs that have ended.
CREATE FUNCTION abandoned_jobs(jobs bigint[]) RETURNS TABLE (
  id bigint, attempt integer, output_ids text[], output_roots text[], output_paths bytea[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT j.id, j.attempt, j.output_ids, j.output_roots, j.output_paths FROM job AS j
  WHERE j.id = ANY (jobs) AND j.outcome IS NOT NULL ORDER BY j.id
$$;

-- Maintenance: any process may do it at any time.

-- Makes delayed jobs ready whose time has come, and gives their number.
CREATE FUNCTION promote_jobs(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  readied bigint[];
  promoted integer;
BEGIN
  WITH due AS MATERIALIZED (
    -- Not clock_timestamp(): only a stable function bounds an index scan.
    SELECT j.id FROM job AS j WHERE j.run_at <= statement_timestamp() ORDER BY j.run_at
    LIMIT most FOR UPDATE SKIP LOCKED
  ), decided AS MATERIALIZED (
    SELECT j.id, b.state = 2 AS is_cancelled
    FROM job AS j JOIN batch AS b ON b.id = j.batch_id
    WHERE j.id = ANY (ARRAY(SELECT d.id FROM due AS d))
  ), ended AS (
    UPDATE job AS j SET
      run_at = NULL,
      ready = NOT d.is_cancelled,
      outcome = CASE WHEN d.is_cancelled THEN 3 END,
      finished_at = CASE WHEN d.is_cancelled THEN clock_timestamp() END
    FROM decided AS d WHERE j.id = ANY (ARRAY(SELECT id FROM decided)) AND j.id = d.id
    RETURNING j.id, j.batch_id, d.is_cancelled
  ), tallied AS (
    INSERT INTO tally (batch_id, cancelled)
    SELECT e.batch_id, count(*) FROM ended AS e WHERE e.is_cancelled GROUP BY e.batch_id
  )
  SELECT count(*), array_agg(e.id) FILTER (WHERE NOT e.is_cancelled) INTO promoted, readied
  FROM ended AS e;
  IF readied IS NOT NULL THEN PERFORM hint_batches(readied); END IF;
  RETURN promoted;
END
$$;

-- Batches whose submission has not ended, for those who watch whether their submitters live.
CREATE FUNCTION open_submissions() RETURNS TABLE (batch_id bigint, beat bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT b.id, b.submission_beat FROM batch AS b WHERE b.finished_at IS NULL AND NOT b.sealed
  ORDER BY b.id
$$;

-- Folds progress, seals batches whose submitters are dead by their beats, and ends those that are
-- finished; false, and nothing, if another process is at it.
--
-- A submitter that lives after all opens its batch again with the next jobs that it submits.
CREATE FUNCTION keep_house(lost_batches bigint[], lost_beats bigint[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('rawmill.maintenance.' || current_schema, 0))
  THEN
    RETURN false;
  END IF;
  UPDATE batch AS b SET sealed = true
  FROM unnest(lost_batches, lost_beats) AS g (id, beat)
  WHERE b.id = g.id AND b.submission_beat = g.beat AND NOT b.sealed;
  PERFORM fold_tally();
  PERFORM close_batches();
  RETURN true;
END
$$;

-- Moves a batch's head forward to its first ready job; if there is none, takes the hint from the batch.
--
-- First a look without a lock; then the lock; then a look in a statement of its own, which sees what was
-- committed before the lock. Passes over a row that another has locked, and so waits for nobody.
CREATE FUNCTION advance_head(batch bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_variable
DECLARE
  candidate record;
  first record;
BEGIN
  SELECT b.id, b.head_rank, b.head_id INTO candidate FROM batch AS b
  WHERE b.id = batch AND b.state = 0 AND b.has_ready;
  FOR turn IN 1..2 LOOP
    EXIT WHEN NOT FOUND;
    SELECT -j.priority::integer AS rank, j.id INTO first FROM job AS j
    WHERE j.batch_id = batch AND j.ready
      AND (-j.priority::integer, j.id) >= (candidate.head_rank, candidate.head_id)
    ORDER BY -j.priority::integer, j.id LIMIT 1;
    -- A head that is a page's worth of entries behind costs nothing, a row version each time would.
    EXIT WHEN first.id IS NOT NULL AND first.rank = candidate.head_rank
      AND first.id < candidate.head_id + 100;
    IF turn = 1 THEN
      SELECT b.id, b.head_rank, b.head_id INTO candidate FROM batch AS b
      WHERE b.id = batch AND b.state = 0 AND b.has_ready FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE;
    END IF;
    IF first.id IS NULL THEN
      -- From the very beginning: whoever made a job ready and did not move the head back is forgiven.
      SELECT -j.priority::integer AS rank, j.id INTO first FROM job AS j
      WHERE j.batch_id = batch AND j.ready
      ORDER BY -j.priority::integer, j.id LIMIT 1;
    END IF;
    UPDATE batch AS b SET has_ready = first.id IS NOT NULL,
      head_rank = coalesce(first.rank, b.head_rank), head_id = coalesce(first.id, b.head_id)
    WHERE b.id = batch;
  END LOOP;
END
$$;

-- Takes the hint from batches that have no ready job, and moves the heads of the others.
CREATE FUNCTION tidy_batches() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM advance_head(b.id) FROM (
    SELECT b.id FROM batch AS b WHERE b.state = 0 AND b.has_ready ORDER BY b.id
  ) AS b;
END
$$;

-- Ends a slice of the waiting jobs of a cancelled batch: of the ready ones, in the order of claims, those
-- behind the job "after", or from the batch's head on for 0; then of the delayed ones. Gives the job to go
-- on after; NULL when there was none.
CREATE FUNCTION sweep_batch(batch bigint, after bigint, slice bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

-- Ends jobs that came back to a batch after it was cancelled, up to "most" of each batch.
CREATE FUNCTION sweep_cancelled(most bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  candidate bigint;
BEGIN
  FOR candidate IN
    SELECT b.id FROM batch AS b WHERE b.state = 2 AND b.finished_at IS NULL ORDER BY b.id
  LOOP
    PERFORM sweep_batch(candidate, 0, most);
  END LOOP;
END
$$;

-- Submission.

-- Makes a batch; its jobs may be claimed while it is still being submitted.
CREATE FUNCTION create_batch(
  new_name text, new_owner text, new_priority smallint, new_weight double precision,
  new_aging_seconds integer, new_maximum_attempts smallint, new_maximum_crashes smallint,
  new_maximum_host_faults integer, new_base_delay_ms bigint, new_maximum_delay_ms bigint,
  new_maximum_running integer, new_after_batch bigint
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO batch (name, owner, priority, weight, aging_seconds, maximum_attempts,
    maximum_crashes, maximum_host_faults, base_delay_ms, maximum_delay_ms, maximum_running,
    after_batch)
  VALUES (new_name, new_owner, new_priority, new_weight, new_aging_seconds, new_maximum_attempts,
    new_maximum_crashes, new_maximum_host_faults, new_base_delay_ms, new_maximum_delay_ms,
    new_maximum_running, new_after_batch)
  RETURNING id
$$;

-- Says that the submitter of a batch lives; false: there is no such batch.
CREATE FUNCTION beat_submission(batch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM require_steering(batch);
  UPDATE batch AS b SET submission_beat = b.submission_beat + 1 WHERE b.id = beat_submission.batch;
  RETURN FOUND;
END
$$;

-- Ends a batch's submission: it is finished when its jobs are. False: there is no such batch.
CREATE FUNCTION seal_batch(batch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM require_steering(batch);
  UPDATE batch AS b SET sealed = true, submission_beat = NULL,
    state = CASE WHEN b.total = 0 AND b.state < 2 THEN 3 ELSE b.state END,
    finished_at = CASE WHEN b.total = 0 THEN clock_timestamp() ELSE b.finished_at END
  WHERE b.id = seal_batch.batch;
  RETURN FOUND;
END
$$;

-- Keeps recipes, so that jobs may name them. A digest is that of its text.
CREATE FUNCTION register_recipes(texts text[]) RETURNS SETOF bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- In one order everywhere, so that two that register at once do not wait for each other in a ring.
  INSERT INTO recipe (digest, canonical)
  SELECT DISTINCT sha256(convert_to(t.text, 'UTF8')), t.text FROM unnest(texts) AS t (text) ORDER BY 1
  ON CONFLICT (digest) DO NOTHING;
  RETURN QUERY SELECT sha256(convert_to(t.text, 'UTF8')) FROM unnest(texts) AS t (text);
END
$$;

-- What the queue knows of jobs by their keys; who knows a key knows all that it is made of.
CREATE FUNCTION known_jobs(keys bytea[]) RETURNS TABLE (
  dedupe_key bytea, id bigint, batch_id bigint, outcome smallint, ready boolean, is_delayed boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT j.dedupe_key, j.id, j.batch_id, j.outcome, j.ready, j.run_at IS NOT NULL
  FROM job AS j WHERE j.dedupe_key = ANY (keys)
$$;

-- What done jobs published, by their keys.
CREATE FUNCTION known_outputs(keys bytea[]) RETURNS TABLE (
  output_id text, root text, path bytea, size bigint, sha256 bytea, width integer, height integer,
  format text, color_space text, bit_depth smallint, job_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT o.output_id, o.root, o.path, o.size, o.sha256, o.width, o.height, o.format, o.color_space,
    o.bit_depth, o.job_id
  FROM job AS j JOIN output AS o ON o.job_id = j.id
  WHERE j.dedupe_key = ANY (keys) AND j.outcome = 1 AND o.published_at IS NOT NULL
  ORDER BY o.job_id, o.output_id
$$;

-- Makes the table that a slice of jobs comes into by COPY, for the rest of the transaction.
CREATE FUNCTION open_staging() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET client_min_messages TO warning AS $$
BEGIN
  CREATE TEMP TABLE IF NOT EXISTS staged (
    n integer PRIMARY KEY, dedupe_key bytea NOT NULL, redo boolean NOT NULL,
    priority smallint NOT NULL, recipe_digest bytea NOT NULL, input_root text NOT NULL,
    input_path bytea NOT NULL, input_size bigint NOT NULL, input_mtime_ns bigint NOT NULL,
    output_ids text[] NOT NULL, output_roots text[] NOT NULL, output_paths bytea[] NOT NULL,
    targets bytea[] NOT NULL, replaces boolean NOT NULL, kept_root text, kept_path bytea
  ) ON COMMIT DROP;
  -- No other session sees it.
  GRANT INSERT ON staged TO PUBLIC;
END
$$;

-- Submits the jobs of the staging table to a batch, and empties it.
--
-- A job that the queue has already is not made twice: if it is live it stays where it is; if it is done
-- it is left alone, unless redo says that its outputs are gone; if it failed or was cancelled it is done
-- again as part of this batch. A job with an output path of another live job is refused.
--
-- No row: there is no such batch. Nothing was submitted if the batch takes no more jobs, or a recipe is
-- not registered.
CREATE FUNCTION enqueue_staged(
  batch bigint, OUT is_closed boolean, OUT missing_recipe bytea, OUT inserted bigint,
  OUT redone bigint, OUT refused_rows bigint[], OUT refused_positions bigint[],
  OUT refused_holders bigint[], OUT left_batches bigint[], OUT left_done bigint[],
  OUT left_live bigint[]
) RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  new_roots text[];
  known integer[];
  ids CONSTANT regclass := pg_get_serial_sequence('job', 'id');
  readied bigint[];
  arrived bigint;
  first_rank integer;
  first_id bigint;
BEGIN
  PERFORM require_steering(batch);
  IF (SELECT relowner FROM pg_class WHERE oid = 'pg_temp.staged'::regclass)
    <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
  THEN
    RAISE insufficient_privilege USING MESSAGE = 'staged is not the table that open_staging made';
  END IF;
  -- One slice is submitted at a time, so that nobody takes an output path between the look and the leap.
  PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.enqueue.' || current_schema, 0));
  -- The batch's row is held until the slice is committed: the hint is not cleared under it.
  SELECT b.state = 2 OR b.submission_beat IS NULL INTO is_closed
  FROM batch AS b WHERE b.id = enqueue_staged.batch FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT s.recipe_digest INTO missing_recipe
  FROM (SELECT DISTINCT recipe_digest FROM staged) AS s
  WHERE NOT EXISTS (SELECT FROM recipe AS r WHERE r.digest = s.recipe_digest) LIMIT 1;
  IF is_closed OR missing_recipe IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  new_roots := ARRAY(
    WITH kind AS MATERIALIZED (SELECT DISTINCT input_root, output_roots, kept_root FROM staged)
    SELECT input_root FROM kind UNION SELECT unnest(output_roots) FROM kind
    UNION SELECT kept_root FROM kind WHERE kept_root IS NOT NULL);
  -- What belongs to a row is looked up by its key; OFFSET 0 keeps the planner from turning the lookup into
  -- a join, which would read all jobs for each row if it was planned while there were few.
  WITH conflicts AS MATERIALIZED (
    SELECT DISTINCT ON (s.n) s.n, u.position::int - 1 AS position, j.id
    FROM staged AS s
    CROSS JOIN LATERAL unnest(s.targets) WITH ORDINALITY AS u (key, position)
    CROSS JOIN LATERAL (SELECT job_id FROM target WHERE key = u.key OFFSET 0) AS t
    CROSS JOIN LATERAL (
      SELECT id FROM job
      WHERE id = t.job_id AND outcome IS NULL AND dedupe_key <> s.dedupe_key OFFSET 0
    ) AS j
    ORDER BY s.n, u.position
  ), removed AS (
    DELETE FROM staged WHERE n = ANY (ARRAY(SELECT n FROM conflicts))
  )
  SELECT coalesce(array_agg(n::bigint ORDER BY n), '{}'),
    coalesce(array_agg(position::bigint ORDER BY n), '{}'),
    coalesce(array_agg(id ORDER BY n), '{}')
  INTO refused_rows, refused_positions, refused_holders FROM conflicts;
  -- One look for each key tells the jobs that the queue has already: mostly there are none. Nobody else
  -- makes jobs under the lock, so that the insertion below needs no second look, nor a way out.
  known := ARRAY(
    SELECT s.n FROM staged AS s CROSS JOIN LATERAL (
      SELECT FROM job WHERE dedupe_key = s.dedupe_key OFFSET 0
    ) AS j);
  redone := 0;
  arrived := 0;
  left_batches := '{}';
  left_done := '{}';
  left_live := '{}';
  IF known <> '{}' THEN
    -- Ended jobs that are done again: those that failed or were cancelled, and done ones whose outputs are
    -- gone. They move to this batch; the one that they leave counts them no more.
    WITH again AS MATERIALIZED (
      SELECT j.id, j.batch_id, j.outcome, s.n, s.priority, s.targets, s.replaces, s.kept_root,
        s.kept_path,
        CASE j.outcome WHEN 1 THEN j.input_size ELSE 0 END AS input_bytes,
        CASE j.outcome WHEN 1 THEN (
          SELECT p.pixels FROM provenance AS p WHERE p.job_id = j.id ORDER BY p.attempt DESC LIMIT 1
        ) ELSE 0 END AS pixels,
        CASE j.outcome WHEN 1 THEN (
          SELECT sum(o.size) FROM output AS o WHERE o.job_id = j.id AND o.published_at IS NOT NULL
        ) ELSE 0 END AS output_bytes
      FROM staged AS s CROSS JOIN LATERAL (
        SELECT id, batch_id, outcome, input_size FROM job
        WHERE dedupe_key = s.dedupe_key AND (outcome IN (2, 3, 4) OR (outcome = 1 AND s.redo))
        OFFSET 0 FOR UPDATE
      ) AS j WHERE s.n = ANY (known)
    ), armed AS (
      UPDATE job AS j SET batch_id = enqueue_staged.batch, ready = true, outcome = NULL,
        finished_at = NULL, failures = 0, crashes = 0, host_faults = 0, priority = a.priority,
        replaces = a.replaces, kept_root = a.kept_root, kept_path = a.kept_path
      FROM again AS a WHERE j.id = ANY (ARRAY(SELECT id FROM again)) AND j.id = a.id
    ), forgotten AS (
      DELETE FROM failure WHERE job_id = ANY (ARRAY(SELECT id FROM again))
    ), uncounted AS (
      INSERT INTO tally (
        batch_id, done, failed, cancelled, skipped, pixels, input_bytes, output_bytes)
      SELECT batch_id, -count(*) FILTER (WHERE outcome = 1), -count(*) FILTER (WHERE outcome = 2),
        -count(*) FILTER (WHERE outcome = 3), -count(*) FILTER (WHERE outcome = 4),
        -coalesce(sum(pixels), 0), -sum(input_bytes), -coalesce(sum(output_bytes), 0)
      FROM again GROUP BY batch_id
    ), departed AS (
      UPDATE batch AS b SET total = b.total - c.count
      FROM (
        SELECT batch_id, count(*) FROM again WHERE batch_id <> enqueue_staged.batch GROUP BY batch_id
      ) AS c WHERE b.id = c.batch_id
    ), placed AS (
      DELETE FROM staged AS s USING again AS a WHERE s.n = a.n RETURNING a.id, s.targets
    ), taken AS (
      -- Takes over a target, or makes it; what no live job holds is free, for refused rows are gone.
      INSERT INTO target AS t (key, job_id) SELECT DISTINCT ON (key) key, job_id FROM (
        SELECT unnest(targets) AS key, id AS job_id FROM placed
      ) AS wanted ORDER BY key
      ON CONFLICT (key) DO UPDATE SET job_id = excluded.job_id WHERE t.job_id <> excluded.job_id
    )
    SELECT count(*), count(*) FILTER (WHERE batch_id <> enqueue_staged.batch), array_agg(id)
    INTO redone, arrived, readied FROM again;
    -- What is left are jobs that the queue has already, live or done.
    SELECT coalesce(array_agg(k.batch_id), '{}'), coalesce(array_agg(k.done), '{}'),
      coalesce(array_agg(k.live), '{}')
    INTO left_batches, left_done, left_live FROM (
      SELECT j.batch_id, count(*) FILTER (WHERE j.outcome = 1) AS done,
        count(*) FILTER (WHERE j.outcome IS DISTINCT FROM 1) AS live
      FROM staged AS s CROSS JOIN LATERAL (
        SELECT batch_id, outcome FROM job WHERE dedupe_key = s.dedupe_key OFFSET 0
      ) AS j WHERE s.n = ANY (known) GROUP BY 1
    ) AS k;
    DELETE FROM staged WHERE n = ANY (known);
  END IF;
  WITH fresh AS MATERIALIZED (
    SELECT nextval(ids) AS id, s.*
    FROM (SELECT * FROM staged ORDER BY n) AS s
  ), made AS (
    INSERT INTO job (id, batch_id, priority, dedupe_key, recipe_digest, input_root, input_path,
      input_size, input_mtime_ns, output_ids, output_roots, output_paths, replaces, kept_root,
      kept_path)
    OVERRIDING SYSTEM VALUE
    SELECT id, enqueue_staged.batch, priority, dedupe_key, recipe_digest, input_root, input_path,
      input_size, input_mtime_ns, output_ids, output_roots, output_paths, replaces, kept_root,
      kept_path
    FROM fresh
  ), taken AS (
    INSERT INTO target AS t (key, job_id) SELECT DISTINCT ON (key) key, job_id FROM (
      SELECT unnest(targets) AS key, id AS job_id FROM fresh
    ) AS wanted ORDER BY key
    ON CONFLICT (key) DO UPDATE SET job_id = excluded.job_id WHERE t.job_id <> excluded.job_id
  ), first AS (
    SELECT -priority::integer AS rank, id FROM fresh ORDER BY rank, id LIMIT 1
  )
  SELECT (SELECT count(*) FROM fresh), (SELECT rank FROM first), (SELECT id FROM first)
  INTO inserted, first_rank, first_id;
  DELETE FROM staged;
  -- A batch that was sealed because its submitter seemed dead is open again.
  UPDATE batch AS b SET total = b.total + inserted + arrived, sealed = false,
    submission_beat = b.submission_beat + 1,
    state = CASE b.state WHEN 3 THEN 0 ELSE b.state END, finished_at = NULL,
    has_ready = b.has_ready OR inserted > 0,
    head_rank = CASE WHEN (first_rank, first_id) < (b.head_rank, b.head_id) THEN first_rank
      ELSE b.head_rank END,
    head_id = CASE WHEN (first_rank, first_id) < (b.head_rank, b.head_id) THEN first_id
      ELSE b.head_id END,
    roots = ARRAY(SELECT DISTINCT unnest(b.roots || new_roots) ORDER BY 1)
  WHERE b.id = enqueue_staged.batch;
  IF readied IS NOT NULL THEN PERFORM hint_batches(readied); END IF;
  RETURN NEXT;
END
$$;

-- Plans for a queue: see above. jit would compile for longer than these statements run.
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
      'advance_head', 'tidy_batches', 'sweep_batch', 'known_jobs', 'known_outputs', 'enqueue_staged', 'heavy_waiting',
      'record_scene_histograms')
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
