-- Caps and dependencies of batches; who may do what.

ALTER TABLE batch
  -- How many of its jobs may run at once; NULL: any number.
  ADD COLUMN maximum_running integer CHECK (maximum_running > 0),
  -- A batch that must be finished before jobs of this one are claimed. An earlier one, so that no
  -- batches wait for each other.
  ADD COLUMN after_batch bigint CHECK (after_batch < id),
  -- The role that submitted it; owner is a name for people.
  ADD COLUMN submitted_by name NOT NULL DEFAULT session_user;

-- The batch of a lease's job: it does not change while the job runs.
ALTER TABLE lease ADD COLUMN batch_id bigint;
UPDATE lease l SET batch_id = j.batch_id FROM job j WHERE j.id = l.job_id;
ALTER TABLE lease ALTER COLUMN batch_id SET NOT NULL;
CREATE INDEX lease_batch ON lease (batch_id);

-- Which group of roles may call which functions that run with their owner's rights; names are those of
-- the functions, whatever their parameters. A migration that makes such a function says so here, and
-- grant_rights does the rest: a group is made by naming it. Functions that run with the caller's rights
-- need no entry, and rawmill_admin has them all.
CREATE TABLE function_right (
  function_name name NOT NULL,
  role_name name NOT NULL
    CHECK (role_name ~ '^rawmill_[a-z]+$' AND role_name <> 'rawmill_admin'),
  PRIMARY KEY (function_name, role_name)
);

-- What belongs to a batch, by batch_id or by job_id, is read by those who submitted the batch, by readers
-- and by admins. A table for which this is enabled gets its policies from grant_rights.
ALTER TABLE batch ENABLE ROW LEVEL SECURITY;
ALTER TABLE job ENABLE ROW LEVEL SECURITY;
ALTER TABLE lease ENABLE ROW LEVEL SECURITY;
ALTER TABLE output ENABLE ROW LEVEL SECURITY;
ALTER TABLE provenance ENABLE ROW LEVEL SECURITY;
ALTER TABLE failure ENABLE ROW LEVEL SECURITY;
ALTER TABLE attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE tally ENABLE ROW LEVEL SECURITY;
ALTER TABLE progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE proof ENABLE ROW LEVEL SECURITY;
ALTER TABLE replacement ENABLE ROW LEVEL SECURITY;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
ALTER TABLE photo_statistics ENABLE ROW LEVEL SECURITY;
ALTER TABLE plane_statistics ENABLE ROW LEVEL SECURITY;
ALTER TABLE plane_histogram ENABLE ROW LEVEL SECURITY;

-- Raises insufficient_privilege unless the session's user may steer a batch: who submitted it, members
-- of rawmill_admin, and the schema's owner may. For functions that run with their owner's rights.
CREATE FUNCTION require_steering(batch bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM batch AS b WHERE b.id = $1 AND b.submitted_by = session_user)
    OR pg_has_role(session_user, (
      SELECT nspowner FROM pg_namespace WHERE nspname = current_schema), 'USAGE')
    -- Not written as one condition: a role that is missing is an error.
    OR (CASE WHEN to_regrole('rawmill_admin') IS NOT NULL
      THEN pg_has_role(session_user, 'rawmill_admin', 'USAGE') ELSE false END)
  THEN
    RETURN;
  END IF;
  RAISE insufficient_privilege USING
    MESSAGE = format('batch %s was submitted by another user: only members of rawmill_admin may steer it', $1);
END
$$;

-- Makes the groups of roles where they are missing, gives them their rights, and gives the names of
-- those that the caller may not make. Run after each migration, and by rawmill database grant.
CREATE FUNCTION grant_rights() RETURNS SETOF name
LANGUAGE plpgsql SET search_path FROM CURRENT SET client_min_messages TO warning AS $$
DECLARE
  roles CONSTANT name[] := ARRAY(
    SELECT f.role_name FROM function_right AS f UNION SELECT 'rawmill_admin' ORDER BY 1);
  role name;
  own_schema CONSTANT name := current_schema;
  item record;
BEGIN
  FOREACH role IN ARRAY roles LOOP
    IF to_regrole(role) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role);
      EXCEPTION
        -- Roles belong to the whole server: another schema's migration may make them at this moment.
        WHEN duplicate_object OR unique_violation THEN NULL;
        WHEN insufficient_privilege THEN NULL;
      END;
    END IF;
  END LOOP;
  -- Functions are everybody's unless it is said otherwise.
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM PUBLIC', own_schema);
  FOREACH role IN ARRAY roles LOOP
    IF to_regrole(role) IS NULL THEN
      RETURN NEXT role;
      CONTINUE;
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', own_schema, role);
  END LOOP;
  -- A worker or a notifier has functions only; what these read, it reads.
  FOR item IN
    SELECT p.oid::regprocedure AS function, r.name AS role
    FROM pg_proc p CROSS JOIN unnest(roles) AS r (name)
    WHERE p.pronamespace = own_schema::regnamespace AND p.prokind = 'f'
      AND p.proname <> 'grant_rights' AND to_regrole(r.name) IS NOT NULL
      AND (NOT p.prosecdef OR EXISTS (
        SELECT FROM function_right f
        WHERE f.function_name = p.proname AND (f.role_name = r.name OR r.name = 'rawmill_admin')))
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', item.function, item.role);
  END LOOP;
  FOREACH role IN ARRAY '{rawmill_reader, rawmill_admin}'::name[] LOOP
    CONTINUE WHEN to_regrole(role) IS NULL;
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', own_schema, role);
    FOR item IN
      SELECT c.oid::regclass AS name FROM pg_class c
      WHERE c.relnamespace = own_schema::regnamespace AND c.relrowsecurity
    LOOP
      EXECUTE format('DROP POLICY IF EXISTS %I ON %s', role, item.name);
      EXECUTE format('CREATE POLICY %I ON %s FOR SELECT TO %I USING (true)', role, item.name, role);
    END LOOP;
  END LOOP;
  -- A submitter reads what belongs to the batches that it submitted, and the few rows of no batch.
  IF to_regrole('rawmill_submitter') IS NOT NULL THEN
    EXECUTE 'GRANT SELECT ON recipe, migration, worker, linearization TO rawmill_submitter';
    FOR item IN
      SELECT c.oid::regclass AS name, CASE
        WHEN c.relname = 'batch' THEN 'submitted_by = session_user'
        WHEN EXISTS (
          SELECT FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attname = 'batch_id' AND NOT a.attisdropped)
        THEN 'batch_id IN (SELECT b.id FROM batch b WHERE b.submitted_by = session_user)'
        ELSE 'EXISTS (SELECT FROM job j WHERE j.id = job_id)'
      END AS condition
      FROM pg_class c
      WHERE c.relnamespace = own_schema::regnamespace AND c.relrowsecurity
    LOOP
      EXECUTE format('GRANT SELECT ON %s TO rawmill_submitter', item.name);
      EXECUTE format('DROP POLICY IF EXISTS rawmill_submitter ON %s', item.name);
      EXECUTE format('CREATE POLICY rawmill_submitter ON %s FOR SELECT TO rawmill_submitter USING (%s)',
        item.name, item.condition);
    END LOOP;
  END IF;
END
$$;
