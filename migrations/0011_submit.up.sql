-- Submission by other programs, in plain SQL, in their own transactions.

INSERT INTO function_right VALUES ('submit', 'rawmill_submitter');

-- A value as it stands in a key: behind its length, so that no two series of values look alike.
CREATE FUNCTION key_part(value bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN int8send(octet_length(value)) || value;

-- The key of a job: what makes two jobs the same work.
CREATE FUNCTION job_key(
  input_root text, input_path bytea, input_size bigint, input_mtime_ns bigint, recipe_digest bytea,
  pixel_version integer, output_ids text[], output_root text, output_paths bytea[]
) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT sha256(key_part('rawmill.job.1') || key_part(convert_to(input_root, 'UTF8'))
    || key_part(input_path) || int8send(input_size) || int8send(input_mtime_ns)
    || key_part(recipe_digest) || int8send(pixel_version) || int8send(cardinality(output_ids))
    || coalesce((
      SELECT string_agg(key_part(convert_to(o.id, 'UTF8'))
        || key_part(convert_to(output_root, 'UTF8')) || key_part(o.path), ''::bytea ORDER BY o.n)
      FROM unnest(output_ids, output_paths) WITH ORDINALITY AS o (id, path, n)), ''))
$$;

-- Submits one picture and gives its job's id; the same call again gives the same job.
--
-- recipe is a recipe's canonical JSON, or the digest in hexadecimal digits of one that is registered;
-- "rawmill recipe check --json" prints both, with the pixel version and the id and the name's ending of
-- each file. input_size and input_mtime_ns are the file's as stat gives them: if it has others when it is
-- rendered, the job fails as inputChanged. Paths are relative to their roots: without the leading slash,
-- for the root "/".
--
-- Jobs that are submitted under one batch_name while that batch is open belong to it. A job that failed or
-- was cancelled is done again; one that is done is left alone. An output path of another live job is a
-- unique_violation. Other submissions wait until the caller's transaction ends: commit soon.
CREATE FUNCTION submit(
  recipe text, input_path bytea, input_size bigint, input_mtime_ns bigint, output_ids text[],
  output_paths bytea[], pixel_version integer, input_root text DEFAULT '/',
  output_root text DEFAULT '/', batch_name text DEFAULT 'submitted by SQL',
  job_priority smallint DEFAULT 0, batch_priority smallint DEFAULT 0
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_variable
DECLARE
  digest bytea;
  key bytea;
  batch bigint;
  result record;
BEGIN
  IF cardinality(output_ids) <> cardinality(output_paths) OR cardinality(output_ids) = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = 'as many output_ids as output_paths, at least one';
  END IF;
  IF recipe ~ '^[0-9a-f]{64}$' THEN
    digest := decode(recipe, 'hex');
  ELSE
    -- Anything else than an object has no key.
    IF recipe::jsonb -> 'recipe' IS NULL THEN
      RAISE invalid_parameter_value USING MESSAGE = 'recipe is no canonical JSON of a recipe';
    END IF;
    digest := register_recipes(ARRAY[recipe]);
  END IF;
  key := job_key(input_root, input_path, input_size, input_mtime_ns, digest, pixel_version,
    output_ids, output_root, output_paths);
  PERFORM pg_advisory_xact_lock(hashtextextended('rawmill.enqueue.' || current_schema, 0));
  SELECT b.id INTO batch FROM batch AS b
  WHERE b.name = batch_name AND b.owner = 'rawmill.submit' AND b.submitted_by = session_user
    AND b.state < 2 AND b.finished_at IS NULL
  ORDER BY b.id DESC LIMIT 1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    batch := create_batch(batch_name, 'rawmill.submit', batch_priority, 1, 3600, 5::smallint,
      3::smallint, NULL, 5000, 3600000, NULL, NULL);
  END IF;
  UPDATE batch AS b SET submission_beat = 0 WHERE b.id = batch;
  PERFORM open_staging();
  INSERT INTO staged VALUES (
    0, key, false, job_priority, digest, input_root, input_path, input_size, input_mtime_ns,
    output_ids, array_fill(output_root, ARRAY[cardinality(output_ids)]), output_paths,
    ARRAY(SELECT output_target(output_root, o.path) FROM unnest(output_paths) AS o (path)), false);
  SELECT * INTO result FROM enqueue_staged(batch);
  IF result.missing_recipe IS NOT NULL THEN
    RAISE no_data_found USING MESSAGE = format('no recipe with digest %s is registered', recipe);
  END IF;
  IF cardinality(result.refused_rows) > 0 THEN
    RAISE unique_violation USING MESSAGE = format('job %s writes %s', result.refused_holders[1],
      display_path(output_paths[result.refused_positions[1] + 1]));
  END IF;
  PERFORM seal_batch(batch);
  RETURN (SELECT j.id FROM job AS j WHERE j.dedupe_key = key);
END
$$;
