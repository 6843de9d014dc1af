import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { MINUTE } from '../lib/time.ts'

/** A file that comes in grows, or its connection is cut long before. */
const GRACE_MS = 15 * MINUTE
const EVERY_MS = 5 * MINUTE

/** What a mail is written to before it has its name (`mail/folder`). */
const HALF_A_MAIL = /^\..+\.eml\.[0-9a-f-]{36}$/

type Cleaned = Pick<Context, 'storage' | 'clock' | 'log' | 'config'>

/**
 * Removes what uploads and mails left that did not end, beside the requests: at once and every five minutes until the
 * returned function is called, which waits for what is under way. Each process that takes uploads does so, as nobody
 * else need reach the folder in which it receives them.
 */
export function keepClean(ctx: Cleaned): () => Promise<void> {
  const clean = () =>
    cleanAll(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'what was left half could not be removed'),
    )
  let cleaning = clean()
  const timer = setInterval(() => {
    cleaning = cleaning.then(clean)
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return cleaning
  }
}

async function cleanAll({ storage, clock, config }: Cleaned): Promise<void> {
  const before = clock.real() - GRACE_MS
  await storage.clean(before)
  const mails = join(config.dataDir, 'mail')
  const names = await readdir(mails).catch(() => [])
  for (const name of names.filter((one) => HALF_A_MAIL.test(one))) {
    const path = join(mails, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}
