/// The fence, as common table expressions after `given (job_id, token, …)`: deletes the leases that are
/// named with their token and gives `freed`, the rows of `given` for which that took effect.
///
/// A plain `DELETE … USING given` may be planned as a scan of all leases, dead ones included, because
/// the table looks small. So the leases are looked up one by one (OFFSET 0 keeps the planner from
/// turning the lookup into a join) and deleted by their ids. Tokens are unique, so that ids and
/// tokens need not be compared pairwise.
let freedLeases = """
  held AS MATERIALIZED (
      SELECT l.attempt, l.worker_id, l.claimed_at, g.* FROM given g CROSS JOIN LATERAL (
        SELECT attempt, worker_id, claimed_at FROM lease
        WHERE job_id = g.job_id AND token = g.token OFFSET 0
      ) l
    ), deleted AS (
      DELETE FROM lease
      WHERE job_id = ANY (ARRAY(SELECT job_id FROM held))
        AND token = ANY (ARRAY(SELECT token FROM held))
      RETURNING job_id
    ), freed AS MATERIALIZED (
      SELECT * FROM held WHERE job_id = ANY (ARRAY(SELECT job_id FROM deleted))
    )
  """
