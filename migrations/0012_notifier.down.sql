DELETE FROM function_right
WHERE role_name = 'rawmill_notifier' OR (function_name, role_name) = ('asides', 'rawmill_submitter');
-- grant_rights stays: for the groups that function_right still names it does what the one before it did.
ALTER TABLE function_right DROP CONSTRAINT function_right_role_name_check;
ALTER TABLE function_right ADD CONSTRAINT function_right_role_name_check
  CHECK (role_name IN ('rawmill_submitter', 'rawmill_worker', 'rawmill_reader'));
