// Runs on sqlite.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startServer } from '../start.ts'
import { testContext } from '../../test/app.ts'
import { HOUR, MINUTE } from '../lib/time.ts'

test(
  'what an upload or a mail left that did not end is removed by a server without jobs, at its start and every five minutes',
  { timeout: 20_000 },
  async (t) => {
    const { ctx, drop } = await testContext('keep_clean')
    t.after(drop)
    ctx.clock.advance(Date.now() - ctx.clock.real())
    const incoming = join(ctx.config.dataDir, 'incoming')
    async function* chunks() {
      yield Buffer.from('half')
    }
    const leave = async (age: number) => {
      const { path } = await ctx.storage.receive(chunks(), 9)
      const then = new Date(Date.now() - age)
      await utimes(path, then, then)
    }
    await leave(2 * HOUR)
    await leave(5 * MINUTE)
    const mails = join(ctx.config.dataDir, 'mail')
    await mkdir(mails)
    const half = join(mails, `.7.eml.${randomUUID()}`)
    for (const path of [half, join(mails, '7.eml')]) {
      await writeFile(path, 'half')
      await utimes(path, new Date(0), new Date(0))
    }
    t.mock.timers.enable({ apis: ['setInterval'] })
    const running = await startServer(ctx)
    while ((await readdir(mails)).length > 1) await new Promise(setImmediate)
    assert.equal((await readdir(incoming)).length, 1, 'what may still come in is left')
    assert.deepEqual(await readdir(mails), ['7.eml'])
    ctx.clock.advance(HOUR)
    t.mock.timers.tick(5 * MINUTE)
    while ((await readdir(incoming)).length > 0) await new Promise(setImmediate)
    await running.stop()
  },
)
