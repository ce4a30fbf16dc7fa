//! UUIDs of MariaDB.

use super::Probes;

pub const PROBES: Probes = Probes {
    tables: &["parcels", "stamps"],
    setup: &[
        "CREATE TABLE parcels (id INT PRIMARY KEY, code UUID NOT NULL UNIQUE, other UUID, data LONGTEXT CHECK (JSON_VALID(data)))",
        "CREATE TABLE stamps (code UUID PRIMARY KEY, n INT)",
    ],
    answered: &[
        "INSERT INTO parcels VALUES (1, '2f1acc1e-0a5b-4c3d-9e8f-001122334455', NULL, '{\"a\": [1, 2]}')",
        "INSERT INTO parcels VALUES (2, '123E4567E89B12D3A456426614174000', '2f1acc1e-0a5b-4c3d-9e8f-001122334455', NULL)",
        "INSERT INTO parcels VALUES (3, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '\"x\"')",
        "INSERT INTO parcels (id, code) VALUES (4, '2F1ACC1E-0A5B-4C3D-9E8F-001122334455')",
        "INSERT INTO stamps SELECT code, id FROM parcels",
        "SELECT * FROM parcels ORDER BY id",
        "SELECT id FROM parcels WHERE code = '2f1acc1e-0a5b-4c3d-9e8f-001122334455'",
        "SELECT id FROM parcels WHERE '123e4567-e89b-12d3-a456-426614174000' = code",
        "SELECT id FROM parcels WHERE code <> other ORDER BY id",
        "SELECT id FROM parcels WHERE code = other OR other IS NULL ORDER BY id",
        "SELECT id FROM parcels WHERE code IN ('2f1acc1e0a5b4c3d9e8f001122334455', '00000000-0000-0000-0000-000000000000') ORDER BY id",
        "SELECT code <=> other FROM parcels ORDER BY id",
        "SELECT n, code FROM stamps JOIN parcels USING (code) ORDER BY n",
        "SELECT COUNT(DISTINCT other), COUNT(code) FROM parcels",
        "SELECT other, COUNT(*) AS c FROM parcels GROUP BY other ORDER BY c, MIN(id)",
        "SELECT COALESCE(other, code) FROM parcels ORDER BY id",
        "UPDATE parcels SET other = code WHERE other IS NULL",
        "DELETE FROM stamps WHERE code = '00000000000000000000000000000000'",
        "SELECT * FROM parcels ORDER BY id",
    ],
    refused: &[
        "SELECT code FROM parcels ORDER BY code",
        "SELECT MAX(code) FROM parcels",
        "SELECT id FROM parcels WHERE code > other",
        "SELECT id FROM parcels WHERE code = 'no such thing'",
        "SELECT CONCAT(code, '') FROM parcels",
        "SELECT code + 0 FROM parcels",
        "INSERT INTO parcels VALUES (9, '11111111-0000-0000-0000-000000000000', NULL, 'nothing')",
    ],
};
