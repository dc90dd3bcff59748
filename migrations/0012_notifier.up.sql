-- A group of roles for those who tell of events and do nothing else. Groups are those that function_right
-- names, and rawmill_admin: a later migration makes one by naming it.

ALTER TABLE function_right DROP CONSTRAINT function_right_role_name_check;
ALTER TABLE function_right ADD CONSTRAINT function_right_role_name_check
  CHECK (role_name ~ '^rawmill_[a-z]+$' AND role_name <> 'rawmill_admin');

INSERT INTO function_right VALUES
  ('schema_version', 'rawmill_notifier'), ('take_deliveries', 'rawmill_notifier'),
  ('settle_delivery', 'rawmill_notifier'),
  -- Why nobody claims what one submitted.
  ('asides', 'rawmill_submitter');

-- Makes the groups of roles where they are missing, gives them their rights, and gives the names of
-- those that the caller may not make. Run after each migration, and by rawmill database grant.
CREATE OR REPLACE FUNCTION grant_rights() RETURNS SETOF name
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
