-- The queue: recipes, batches, jobs, leases, workers, results and provenance.
--
-- Hot tables carry no foreign keys. No index and no index predicate names a column that a completion
-- changes, so that completions are heap-only updates. Paths are bytes: file names need not be UTF-8.

-- Recipes by the SHA-256 of their canonical (RFC 8785) JSON. The text is kept, not jsonb, because its
-- digest is of these very bytes.
CREATE TABLE recipe (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  canonical text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The unit of fairness, pause, cancellation and progress.
CREATE TABLE batch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  owner text NOT NULL DEFAULT '',
  -- The higher is served first; it gains one step for each aging_seconds since created_at.
  priority smallint NOT NULL DEFAULT 0,
  aging_seconds integer NOT NULL DEFAULT 3600 CHECK (aging_seconds > 0),
  -- The share among batches of equal priority.
  weight double precision NOT NULL DEFAULT 1 CHECK (weight > 0),
  maximum_attempts smallint NOT NULL CHECK (maximum_attempts > 0),
  maximum_crashes smallint NOT NULL CHECK (maximum_crashes > 0),
  maximum_host_faults integer CHECK (maximum_host_faults > 0),
  base_delay_ms bigint NOT NULL CHECK (base_delay_ms >= 0),
  maximum_delay_ms bigint NOT NULL CHECK (maximum_delay_ms >= 0),
  -- 0 open, 1 paused, 2 cancelled, 3 finished
  state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3),
  -- A hint for claims: set with every job made ready, cleared under the row's lock.
  has_ready boolean NOT NULL DEFAULT false,
  -- Whether its submission is complete.
  sealed boolean NOT NULL DEFAULT false,
  total bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX batch_claimable ON batch (id) WHERE state = 0 AND has_ready;
CREATE INDEX batch_unfinished ON batch (id) WHERE finished_at IS NULL;

-- One input with one recipe. A job is ready, delayed (run_at), running (it has a lease) or ended
-- (outcome).
CREATE TABLE job (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The batch that it was submitted, or submitted again, with.
  batch_id bigint NOT NULL,
  run_at timestamptz,
  finished_at timestamptz,
  input_size bigint NOT NULL,
  input_mtime_ns bigint NOT NULL,
  -- How often it was claimed; never decreases.
  attempt integer NOT NULL DEFAULT 0,
  host_faults integer NOT NULL DEFAULT 0,
  failures smallint NOT NULL DEFAULT 0,
  crashes smallint NOT NULL DEFAULT 0,
  priority smallint NOT NULL DEFAULT 0,
  -- NULL live, 1 done, 2 failed, 3 cancelled, 4 skipped
  outcome smallint CHECK (outcome BETWEEN 1 AND 4),
  ready boolean NOT NULL DEFAULT true,
  dedupe_key bytea NOT NULL CHECK (octet_length(dedupe_key) = 32),
  recipe_digest bytea NOT NULL,
  input_root text NOT NULL,
  input_path bytea NOT NULL,
  output_ids text[] NOT NULL,
  output_roots text[] NOT NULL,
  output_paths bytea[] NOT NULL,
  CONSTRAINT job_ready_is_live CHECK (NOT ready OR (run_at IS NULL AND outcome IS NULL)),
  CONSTRAINT job_delayed_is_live CHECK (run_at IS NULL OR outcome IS NULL),
  CONSTRAINT job_ended_has_time CHECK ((outcome IS NULL) = (finished_at IS NULL)),
  CONSTRAINT job_outputs_match CHECK (
    cardinality(output_ids) = cardinality(output_paths)
    AND cardinality(output_ids) = cardinality(output_roots))
) WITH (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_scale_factor = 0.1
);
CREATE UNIQUE INDEX job_dedupe_key ON job (dedupe_key);
CREATE INDEX job_ready ON job (batch_id, priority DESC, id) WHERE ready;
CREATE INDEX job_delayed ON job (run_at) WHERE run_at IS NOT NULL;
CREATE INDEX job_batch ON job (batch_id, id);

-- Which job an output path belongs to, by a digest of root and path: no two live jobs have one target.
CREATE TABLE target (
  key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
  job_id bigint NOT NULL
);

-- A job that runs. Deleting the row is the right to decide the job: one wins, the others find nothing.
CREATE TABLE lease (
  job_id bigint PRIMARY KEY,
  token uuid NOT NULL,
  worker_id bigint NOT NULL,
  attempt integer NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0
);

-- One row for each life of a worker process; ids are never used again, dead is final.
CREATE TABLE worker (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host text NOT NULL,
  boot_id text NOT NULL,
  pid integer NOT NULL,
  start_ticks bigint NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL,
  threads integer NOT NULL,
  -- 0 active, 1 draining, 2 dead
  state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
  beat bigint NOT NULL DEFAULT 0,
  beat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz
) WITH (
  fillfactor = 25, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0
);
CREATE INDEX worker_live ON worker (id) WHERE state < 2;

-- The files of a job's attempts: an intent is committed before the file is published; published_at
-- is set with the job's completion.
CREATE TABLE output (
  job_id bigint NOT NULL,
  attempt integer NOT NULL,
  output_id text NOT NULL,
  root text NOT NULL,
  path bytea NOT NULL,
  size bigint NOT NULL,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  width integer,
  height integer,
  bit_depth smallint,
  format text NOT NULL,
  color_space text,
  published_at timestamptz,
  PRIMARY KEY (job_id, attempt, output_id)
) WITH (fillfactor = 80);

-- How a done job's outputs came about.
CREATE TABLE provenance (
  job_id bigint NOT NULL,
  attempt integer NOT NULL,
  token uuid NOT NULL,
  batch_id bigint NOT NULL,
  worker_id bigint NOT NULL,
  host text NOT NULL,
  claimed_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  input_root text NOT NULL,
  input_path bytea NOT NULL,
  input_size bigint NOT NULL,
  input_mtime_ns bigint NOT NULL,
  input_sha256 bytea NOT NULL,
  recipe_digest bytea NOT NULL,
  resolved_digest bytea NOT NULL,
  resolved_settings jsonb NOT NULL,
  pixel_version integer NOT NULL,
  engine_version text NOT NULL,
  source_revision text NOT NULL,
  -- Library name to version.
  libraries jsonb NOT NULL,
  -- [[stage, wall nanoseconds], …] in order.
  stages jsonb NOT NULL,
  pixels bigint NOT NULL,
  peak_memory_bytes bigint NOT NULL,
  PRIMARY KEY (job_id, attempt)
);

-- Why a job has failed: one row for each job whose outcome is 2.
CREATE TABLE failure (
  job_id bigint PRIMARY KEY,
  batch_id bigint NOT NULL,
  attempt integer NOT NULL,
  class smallint NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX failure_batch ON failure (batch_id, job_id);

-- Attempts that ended without a result, by month; a month is dropped as a whole.
CREATE TABLE attempt (
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  job_id bigint NOT NULL,
  attempt integer NOT NULL,
  batch_id bigint NOT NULL,
  worker_id bigint NOT NULL,
  claimed_at timestamptz NOT NULL,
  -- 1 failed for now, 2 failed for good, 3 given back, 4 stopped
  ending smallint NOT NULL,
  -- As in failure; NULL where it did not fail.
  class smallint,
  code text,
  message text
) PARTITION BY RANGE (at);
CREATE INDEX attempt_job ON attempt (job_id, attempt);

-- What a transaction added to a batch's progress; folded into progress, so that no counter is hot.
CREATE TABLE tally (
  batch_id bigint NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  pixels bigint NOT NULL DEFAULT 0,
  input_bytes bigint NOT NULL DEFAULT 0,
  output_bytes bigint NOT NULL DEFAULT 0
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0
);
CREATE TABLE progress (
  batch_id bigint PRIMARY KEY,
  done bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  pixels bigint NOT NULL DEFAULT 0,
  input_bytes bigint NOT NULL DEFAULT 0,
  output_bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Makes the month partitions of attempt from the current month to months_ahead later (UTC).
CREATE FUNCTION ensure_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT SET timezone TO 'UTC' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', clock_timestamp());
  first_day timestamptz;
  name text;
BEGIN
  FOR number IN 0..months_ahead LOOP
    first_day := this_month + make_interval(months => number);
    name := 'attempt_' || to_char(first_day, 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      -- Workers that start together ask together.
      PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.partition', 0));
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS %I PARTITION OF attempt FOR VALUES FROM (%L) TO (%L)',
        name, first_day, first_day + interval '1 month');
    END IF;
  END LOOP;
END
$$;

SELECT ensure_partitions(3);
