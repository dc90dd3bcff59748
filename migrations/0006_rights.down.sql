DROP FUNCTION grant_rights, require_steering;
DROP TABLE function_right;
DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT c.oid::regclass AS name FROM pg_class c
    WHERE c.relnamespace = current_schema::regnamespace AND c.relrowsecurity
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS rawmill_submitter ON %s', item.name);
    EXECUTE format('DROP POLICY IF EXISTS rawmill_reader ON %s', item.name);
    EXECUTE format('DROP POLICY IF EXISTS rawmill_admin ON %s', item.name);
    EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', item.name);
  END LOOP;
END
$$;
ALTER TABLE lease DROP COLUMN batch_id;
ALTER TABLE batch DROP COLUMN submitted_by, DROP COLUMN after_batch, DROP COLUMN maximum_running;
