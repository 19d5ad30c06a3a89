/** The text of a contract as a user would write it to `.divisi/contracts/`, one thing per line. */
export function ownContract({ name = 'migration-writer' } = {}): string {
  return `name: ${name}
purpose: write one database migration
format: block
fields:
  path: { type: path, about: the migration, feeds: plan }
  reversible: { type: flag, about: whether it can be undone }
  tables: { type: list, of: text, about: tables it touches, required: or-none }
  risk: { type: choice, of: [low, high], about: how dangerous it is }
status:
  - { when: { reversible: false }, status: partial }
rules: [{ when: { risk: low }, then: { reversible: true }, because: a migration of low risk can be undone }]
actions:
  - { when: { risk: high }, action: halt }
example: { path: db/004.sql, reversible: true, tables: [orders], risk: low }
`;
}
