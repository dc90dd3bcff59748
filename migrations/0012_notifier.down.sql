DELETE FROM function_right
WHERE role_name = 'rawmill_notifier' OR (function_name, role_name) = ('asides', 'rawmill_submitter');
