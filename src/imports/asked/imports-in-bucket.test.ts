import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Bucket, serveBucket } from '../../../test/bucket.ts'
import { importingApp, readImport, zipOfFolder, zipOfRows } from '../../../test/importing.ts'
import { lastFirst } from '../../../test/last-first.ts'
import { movedRows } from '../../../test/moved-rows.ts'
import { sweepFiles } from '../../deployments/storage/sweep-files-job.ts'
import { storageOf } from '../../deployments/storage/open.ts'
import { runDue } from '../../jobs/worker.ts'
import { readS3Settings } from '../../lib/s3-settings.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { bringImports } from './bring-imports-job.ts'

/** A server whose files are kept in a bucket. */
async function placeInBucket(t: { after(done: () => unknown): void }) {
  const bucket = new Bucket()
  const service = await serveBucket(() => bucket)
  const { app, owner, upload } = await importingApp('imports_in_bucket')
  const atEnd = lastFirst(t)
  atEnd(() => service.close())
  atEnd(() => app.close())
  const text = (name: string) => service.env[name] ?? null
  const { dataDir } = app.ctx.config
  Object.assign(app.ctx, {
    storage: storageOf({ dataDir, s3: readS3Settings({ text, address: text }) }),
  })
  const run = () => runDue(app.ctx, [bringImports])
  return {
    app,
    owner,
    upload,
    run,
    bucket,
    /** Until no file is on the machine: what was received goes once its request was answered. */
    untilGone: async () => {
      const left = async () => {
        const found = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
        return found.some((one) => one.isFile())
      }
      while (await left()) await pause(10)
    },
    /** Two hours later, when what nobody needs is swept away. */
    sweep: async () => {
      app.ctx.clock.advance(2 * HOUR + MINUTE)
      await runDue(app.ctx, [sweepFiles])
    },
  }
}

test('where files are kept in a bucket that of an import lies there until it is brought in, and nothing of it on the machine', async (t) => {
  const { app, owner, upload, run, bucket, untilGone, sweep } = await placeInBucket(t)
  const asked = await upload(await zipOfRows(movedRows(3)))
  assert.equal(asked.status, 202, asked.text)
  const { id } = asked.json
  await untilGone()
  assert.equal(bucket.objects.size, 1)
  await run()
  const looked = await readImport(owner, id)
  assert.deepEqual([looked.state, looked.bad, looked.added], ['checked', 0, 0])
  await owner('POST', `/imports/${id}/start.json`)
  await run()
  const done = await readImport(owner, id)
  assert.deepEqual([done.state, done.added, done.error], ['finished', done.rows, null])
  assert.equal((await app.ctx.db.selectFrom('licenses').select('id').execute()).length, 3)
  await sweep()
  assert.equal(bucket.objects.size, 0)
  await untilGone()
})

test('two files of an import lie in the bucket as long as it waits, and both are gone after it', async (t) => {
  const { app, owner, upload, run, bucket, sweep } = await placeInBucket(t)
  const methods = Buffer.from('subscription_id,gateway,kind,token\nsub_1,stripe,card,cus_1 pm_1 card\n')
  const given = { source: 'paddle', leave_out: 'true' }
  const { id } = (await upload(await zipOfFolder('paddle'), given, methods)).json
  await run()
  assert.equal((await readImport(owner, id)).state, 'checked')
  await sweep()
  assert.equal(bucket.objects.size, 2)
  await app.write(({ db }) =>
    db
      .updateTable('imports')
      .set({ due_at: app.ctx.clock.real() - 1 })
      .execute(),
  )
  await run()
  await sweep()
  assert.equal(bucket.objects.size, 0)
})

test('a bucket that does not answer lets an import wait, and it goes on by itself', async (t) => {
  const { app, owner, upload, run, bucket } = await placeInBucket(t)
  const { id } = (await upload(await zipOfRows(movedRows(1)))).json
  bucket.misbehave = (_, response) => {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    return true
  }
  await run()
  const waiting = await readImport(owner, id)
  assert.deepEqual([waiting.state, waiting.error, waiting.is_at_work], ['checking', null, true])
  bucket.misbehave = null
  app.ctx.clock.advance(MINUTE)
  await run()
  assert.deepEqual([(await readImport(owner, id)).state], ['checked'])
})
