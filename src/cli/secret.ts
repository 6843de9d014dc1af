import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type Context } from '../context.ts'
import { countSealedWith, resealColumn } from '../db/reseal.ts'
import { SEALED_COLUMNS } from '../db/sealed-columns.ts'
import { auditCommand } from '../access/audit-command.ts'
import type { OnStep, Step } from '../lib/step.ts'
import { Keyring } from '../lib/keyring.ts'
import { DAY, MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import {
  addSecret,
  dropPreviousSecrets,
  openKeyring,
  readSecrets,
  SECRET_POLL_MS,
  secretFile,
  secretFileTime,
} from '../secret.ts'
import { databaseCommand, type Answer, type Group } from './command.ts'
import { Failure } from './failure.ts'

/** How long the old secret is kept at least, so that a server that was slow to notice seals nothing with it. */
const KEPT_MS = MINUTE
/** What is signed and ends by itself is good for so long at most: links to carts, and sandbox tokens of that length. */
const SIGNED_MS = 365 * DAY

/**
 * Embedded: the file gets the new secret beside the old one, running servers take it up within a second,
 * and only then is anything sealed with it; `--finish` drops the old one. Each step can be broken off and
 * run again. With KEYWRIGHT_SECRET the variables are the operator's: this seals again, and `--finish` says whether
 * the previous one may go.
 */
const rotate = databaseCommand({
  describe: 'seal all stored keys with a new secret; --finish forgets the old one',
  options: {
    '--finish': {
      describe:
        'forget the old secret; a minute later, or whenever you like; with KEYWRIGHT_SECRET, look whether that can be',
    },
  },
  handler: (ctx, { finish = false }, cli) => {
    const rotating = { finish, onStep: (step: Step) => cli.tell(step) }
    return ctx.config.secret
      ? rotateEnvironment(ctx, ctx.config.secret.previous.length > 0, rotating)
      : rotateFile(ctx, rotating)
  },
})

export const command: Group = { describe: 'the secret that seals stored keys', commands: { rotate } }

interface Rotating {
  readonly finish: boolean
  readonly onStep: OnStep
}

async function rotateEnvironment(
  ctx: Context,
  hasPrevious: boolean,
  { finish, onStep }: Rotating,
): Promise<Answer> {
  if (!hasPrevious) throw finish ? noRotation() : previousMissing()
  const sealed = await resealAll(ctx, ctx.keys, onStep)
  if (finish) requireNoneLeft(sealed)
  const text = finish ? removableText : environmentText(sealed)
  return { value: sealed, text: `${resealedText(sealed)}\n${text}` }
}

async function rotateFile(ctx: Context, { finish, onStep }: Rotating): Promise<Answer> {
  if (finish) await requireRotation(ctx)
  else if (await ctx.database.transaction(() => addSecret(ctx.config)))
    await sleep(2 * SECRET_POLL_MS + SECOND / 2)
  const sealed = await resealAll(ctx, await openKeyring(ctx.config), onStep)
  if (finish) await drop(ctx, sealed)
  const place = secretFile(ctx.config)
  const value = { ...sealed, secret_file: place }
  const said = resealedText(sealed)
  if (finish) return { value: { ...value, old_secret: 'dropped' }, text: `${said}\n${droppedText(place)}` }
  const until = toUtcTime((await secretFileTime(ctx.config)) + SIGNED_MS)
  const kept = { ...value, old_secret: 'kept', signed_until: until }
  return { value: kept, text: `${said}\n${keptText(place, until)}` }
}

interface Sealed {
  readonly resealed: number
  /** Still sealed with an earlier secret. */
  readonly remaining: number
  /** `table.column key` of what no known secret opens. */
  readonly unreadable: readonly string[]
}

async function resealAll(ctx: Context, keys: Keyring, onStep: OnStep): Promise<Sealed> {
  const unreadable: string[] = []
  let resealed = 0
  for (const [n, column] of SEALED_COLUMNS.entries()) {
    const what = `sealing ${column.table}.${column.column}`
    onStep({ what, done: n, of: SEALED_COLUMNS.length, unit: 'columns' })
    const done = await resealColumn(ctx.database, column, keys)
    resealed += done.resealed
    unreadable.push(...done.unreadable)
  }
  const remaining = await countRemaining(ctx)
  await transaction(ctx, (tx) =>
    auditCommand(tx, {
      command: 'secret-rotate',
      productId: null,
      details: { kid: keys.currentKid, resealed, remaining },
    }),
  )
  return { resealed, remaining, unreadable }
}

async function countRemaining({ config, db }: Context): Promise<number> {
  const [, ...previous] = await readSecrets(config)
  let remaining = 0
  for (const secret of previous) {
    const kid = Keyring.of(secret).currentKid
    for (const column of SEALED_COLUMNS) remaining += await countSealedWith(db, column, kid)
  }
  return remaining
}

async function requireRotation({ config, clock }: Context): Promise<void> {
  if ((await readSecrets(config)).length < 2) {
    throw noRotation()
  }
  const age = clock.real() - (await secretFileTime(config))
  if (age >= KEPT_MS) return
  const seconds = Math.ceil((KEPT_MS - age) / SECOND)
  throw new Failure('too_early', `The old secret is kept for a minute: run this again in ${seconds} seconds.`)
}

async function drop(ctx: Context, sealed: Sealed): Promise<void> {
  requireNoneLeft(sealed)
  await ctx.database.transaction(() => dropPreviousSecrets(ctx.config))
}

function requireNoneLeft({ remaining, unreadable }: Sealed): void {
  if (remaining > 0) {
    throw new Failure(
      'still_needed',
      `${remaining} values are still sealed with the old secret, which is kept; damaged: ${unreadable.join(', ') || 'none'}.`,
    )
  }
}

const noRotation = () =>
  new Failure('no_rotation', 'There is no old secret to forget: "secret rotate" begins a rotation.')

const previousMissing = () =>
  new Failure(
    'no_previous_secret',
    'Set KEYWRIGHT_SECRET to a new secret and KEYWRIGHT_SECRET_PREVIOUS to the one before, everywhere, then run this.',
  )

const resealedText = ({ resealed, unreadable }: Sealed) =>
  [
    `${resealed} ${resealed === 1 ? 'value was' : 'values were'} sealed with the new secret.`,
    ...unreadable.map((place) => `No known secret opens ${place}: it stays as it is.`),
  ].join('\n')

const environmentText = ({ remaining }: Sealed) =>
  remaining === 0
    ? `Nothing needs the previous secret any more. Once every server and worker runs with the new one, run
this with --finish and, when that agrees, remove KEYWRIGHT_SECRET_PREVIOUS. A backup from before needs the
old secret. Removing it ends ${SIGNED}`
    : `${remaining} values still need KEYWRIGHT_SECRET_PREVIOUS: keep it.`

/** SECURITY.md has the whole list. */
const SIGNED = `what was signed with it: links in mails (to checkouts, carts, the portal,
reviews, downloads, the log-in, the end of mails), addresses of downloads, and sandbox tokens that this server
has issued. The longest of them are good for a year; links that end mails have no end of their own.`

const removableText = `Nothing needs the previous secret: remove KEYWRIGHT_SECRET_PREVIOUS everywhere and start anew, which finishes
the rotation. A backup from before needs the old secret. It ends ${SIGNED}`

const keptText = (
  place: string,
  until: string,
) => `The new secret is in ${place}: back it up now. Running servers use it already.
The old one is kept there until, in a minute or later, you run
  npm run -s keywright -- secret rotate --finish
That ends ${SIGNED}
After ${until} UTC only these are left.`

const droppedText = (place: string) =>
  `The old secret is gone from ${place}. A backup of the database from before needs the secret of its time.`
