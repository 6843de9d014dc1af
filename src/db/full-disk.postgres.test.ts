// Runs beside others.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { testContext } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { createTestFolder } from '../../test/folder.ts'
import { assertFull, assertServed, callsOf, type Disk, mountedDisk } from '../../test/full-disk.ts'
import { unprivilegedUser } from '../../test/postgres.ts'
import { serve } from '../../test/serve.ts'
import { transaction } from '../context.ts'

/** Runs statements, each by itself; the first column of what the last one answers. */
async function execute(url: string, ...statements: readonly string[]): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let names: string[][] = []
    for (const text of statements) names = (await client.query<string[]>({ text, rowMode: 'array' })).rows
    return names.flat()
  } finally {
    await client.end()
  }
}

/** Takes a database to a small disk of the server's user, on which nothing else is. */
async function diskOfItsOwn(folder: string, url: string): Promise<Disk | null> {
  const owner = unprivilegedUser()?.uid
  const disk = owner === undefined ? null : mountedDisk(folder, { size: 64, owner })
  if (!disk) return null
  const admin = new URL(process.env['KEYWRIGHT_TEST_POSTGRES'] ?? '').href
  const database = new URL(url).pathname.slice(1)
  const space = `space_of_${database}`
  await execute(
    admin,
    `create tablespace "${space}" location '${folder}'`,
    `alter database "${database}" set tablespace "${space}"`,
  )
  return {
    ...disk,
    async remove() {
      await execute(
        admin,
        `alter database "${database}" set tablespace pg_default`,
        `drop tablespace "${space}"`,
      )
      await disk.remove()
    },
  }
}

/** For who may not mount: the database refuses what takes room, with the words of a disk that is full. */
async function refusals(url: string): Promise<Disk> {
  const refusal = `language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$`
  await execute(
    url,
    `create function refuse_row() returns trigger ${refusal}`,
    `create function refuse_file() returns event_trigger ${refusal}`,
  )
  const tables = await execute(
    url,
    "select oid::regclass::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  // One after another: who held all of them at once could wait for a transaction that waits for it.
  const onEach = (act: (table: string) => string) => execute(url, ...tables.map(act))
  return {
    async fill() {
      await onEach(
        (table) => `create trigger refuse before insert or update on ${table} execute function refuse_row()`,
      )
      await execute(
        url,
        `create event trigger refuse on ddl_command_start when tag in ('CREATE TABLE', 'CREATE TABLE AS') execute function refuse_file()`,
      )
    },
    async empty() {
      await execute(url, 'drop event trigger refuse')
      await onEach((table) => `drop trigger refuse on ${table}`)
    },
    remove() {},
  }
}

const DISKS: Readonly<Record<string, (folder: string, url: string) => Promise<Disk | null>>> = {
  'a disk that is full': diskOfItsOwn,
  'a database that refuses like one': (_, url) => refusals(url),
}

for (const [name, diskOf] of Object.entries(DISKS)) {
  test(`with ${name} reads go on, writes are 503, and all is served with the first room, also after a kill`, async (t) => {
    const folder = await createTestFolder('full_disk')
    const { ctx, databaseOptions, drop } = await testContext('full_disk')
    const { product } = await transaction(ctx, (tx) => createSeller(tx))
    await ctx.database.close()
    assert.ok(databaseOptions.engine === 'postgres')
    // Who may not mount has the other way.
    const disk = (await diskOf(folder, databaseOptions.url)) ?? (await refusals(databaseOptions.url))
    const files = await createTestFolder('full_disk_files')
    const start = () => serve(databaseOptions, { KEYWRIGHT_DATA: join(files, 'data') })
    let serving = await start()
    t.after(async () => {
      await serving.stop()
      await disk.remove()
      await drop().catch(() => {})
      for (const one of [folder, files]) await rm(one, { recursive: true, force: true })
    })
    await assertServed(callsOf(serving, product), 'before')
    await disk.fill(0)
    await assertFull(callsOf(serving, product), 'during')
    await disk.empty(0)
    await assertServed(callsOf(serving, product), 'after')
    await disk.fill(0)
    await assertFull(callsOf(serving, product), 'again')
    const killed = once(serving.process, 'exit')
    serving.process.kill('SIGKILL')
    await killed
    // It starts without room, too.
    serving = await start()
    await assertFull(callsOf(serving, product), 'killed')
    await disk.empty(0)
    await assertServed(callsOf(serving, product), 'well')
  })
}
