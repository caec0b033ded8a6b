-- Which registered servers a case shows follows from the names in the case, its suite and the
-- servers, so no change of one of them has to be written into the rows of the others.
DROP TABLE test_case_mcp_servers;
CREATE VIEW test_case_mcp_servers AS
SELECT DISTINCT coalesce(c.kept_id, c.id) AS test_case_id, m.id AS mcp_server_id
FROM test_cases c
JOIN suites h ON h.id = c.suite_id
JOIN suites u ON u.id = h.shown_in AND u.hidden = 0
JOIN json_each(CASE WHEN c.servers = '[]' THEN u.servers ELSE c.servers END) j
JOIN mcp_servers m ON m.name = j.value;
