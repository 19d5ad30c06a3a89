import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { applicationId, migrate, migrations } from './migrations.ts';
import { pragma } from './pragma.ts';

const folder = temporaryFolders();
const more = [...migrations, 'create table colours(name text)', 'alter table colours add column warm integer'];

describe('migrating', () => {
  it('takes every step that is missing, once', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, 'x');
    expect([pragma(db, 'user_version'), pragma(db, 'application_id')]).toEqual([migrations.length, applicationId]);
    migrate(db, 'x', more);
    migrate(db, 'x', more);
    expect(pragma(db, 'user_version')).toBe(more.length);
    db.exec(`insert into colours values('red', 1)`);
    db.close();
  });

  it('leaves everything undone when a step fails', () => {
    const db = new DatabaseSync(':memory:');
    expect(() => migrate(db, 'x', [...more, 'create table late(x); create table colours(y)'])).toThrow(
      /already exists/,
    );
    expect(pragma(db, 'user_version')).toBe(0);
    expect(db.prepare(`select name from sqlite_schema`).all()).toEqual([]);
    db.close();
  });

  it('refuses what is newer', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, 'x', more);
    expect(() => migrate(db, 'x')).toThrow(expect.objectContaining({ code: 'LEDGER_NEWER' }));
    db.close();
  });

  it('finds a step taken that another connection took meanwhile', () => {
    const file = join(folder(), 'ledger.db');
    const [one, other] = [new DatabaseSync(file), new DatabaseSync(file)];
    // The other one takes all its steps between this one's look at the number and its lock.
    const late = new Proxy(one, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'exec') return typeof value === 'function' ? value.bind(target) : value;
        return (sql: string) => {
          if (sql === 'begin immediate') migrate(other, file, more);
          target.exec(sql);
        };
      },
    });
    migrate(late, file, more);
    expect(pragma(one, 'user_version')).toBe(more.length);
    one.close();
    other.close();
  });
});
