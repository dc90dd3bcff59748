-- Re-compression: what was proven of each output, which originals were replaced, what audits found.

-- Whether the job's one output takes the input's place, and under which name the original is kept
-- then; without a name it is not kept.
ALTER TABLE job
  ADD COLUMN replaces boolean NOT NULL DEFAULT false,
  ADD COLUMN kept_root text,
  ADD COLUMN kept_path bytea,
  ADD CONSTRAINT job_kept_is_whole CHECK ((kept_root IS NULL) = (kept_path IS NULL));

-- How far an output that stores the input's samples anew is from them, by a fresh decode of both.
CREATE TABLE proof (
  job_id bigint NOT NULL,
  output_id text NOT NULL,
  attempt integer NOT NULL,
  -- identical: the stored samples are the same; equal: the linear codes are; nearest: every sample
  -- has the nearest code of the output; ratio: a signal-to-noise ratio is kept; kept: the output
  -- would have been larger, and the input's own bytes stand in its place
  verdict text NOT NULL CHECK (verdict IN ('identical', 'equal', 'nearest', 'ratio', 'kept')),
  input_size bigint NOT NULL,
  output_size bigint NOT NULL,
  input_sha256 bytea NOT NULL CHECK (octet_length(input_sha256) = 32),
  output_sha256 bytea NOT NULL CHECK (octet_length(output_sha256) = 32),
  -- Of the stored samples before any linearisation.
  input_samples_sha256 bytea NOT NULL CHECK (octet_length(input_samples_sha256) = 32),
  output_samples_sha256 bytea NOT NULL CHECK (octet_length(output_samples_sha256) = 32),
  samples bigint NOT NULL,
  differing bigint NOT NULL,
  -- In linear codes of the input, and in standard deviations of its noise.
  worst_codes double precision NOT NULL,
  rms_codes double precision NOT NULL,
  worst_sigma double precision NOT NULL,
  rms_sigma double precision NOT NULL,
  -- In halves of the step between neighbouring codes of the output.
  worst_half_steps double precision NOT NULL,
  -- dB; NULL where nothing differs.
  psnr double precision,
  -- [{directory, tag, kind, isRecomputed, first, second}, …]
  tags jsonb NOT NULL,
  PRIMARY KEY (job_id, output_id)
);

-- Originals that a verified new file takes the place of: committed before anything is renamed.
CREATE TABLE replacement (
  job_id bigint PRIMARY KEY,
  attempt integer NOT NULL,
  root text NOT NULL,
  path bytea NOT NULL,
  recipe_digest bytea NOT NULL,
  original_size bigint NOT NULL,
  original_mtime_ns bigint NOT NULL,
  original_inode bigint NOT NULL,
  original_mode integer NOT NULL,
  original_owner bigint NOT NULL,
  original_group bigint NOT NULL,
  original_sha256 bytea NOT NULL CHECK (octet_length(original_sha256) = 32),
  size bigint NOT NULL,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  kept_root text,
  kept_path bytea,
  -- What a completion records, so that one that was interrupted can be made up for.
  report jsonb NOT NULL,
  intended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  replaced_at timestamptz,
  restored_at timestamptz,
  CONSTRAINT replacement_kept_is_whole CHECK ((kept_root IS NULL) = (kept_path IS NULL))
);
CREATE INDEX replacement_path ON replacement (path, root);
CREATE INDEX replacement_kept ON replacement (kept_path, kept_root) WHERE kept_path IS NOT NULL;

-- Outputs by their place, for audits of a folder.
CREATE INDEX output_path ON output (path, root);

-- Audits; one that was interrupted goes on where it was.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What was to be audited: a batch or a folder.
  scope text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);
CREATE UNIQUE INDEX audit_open ON audit (scope) WHERE finished_at IS NULL;

-- What the last audit of each recorded file found.
CREATE TABLE audited (
  job_id bigint NOT NULL,
  -- The output's id; empty for the original that a replacement keeps.
  output_id text NOT NULL,
  audit_id bigint NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- 1 intact, 2 missing, 3 changed
  result smallint NOT NULL CHECK (result BETWEEN 1 AND 3),
  PRIMARY KEY (job_id, output_id)
);
