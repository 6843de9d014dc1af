import { createHash } from 'node:crypto'
import { transaction, type Context } from '../src/context.ts'
import { findToken } from '../src/http/bearer.ts'
import { newBearerToken, newKeyPair, sameText } from '../src/lib/credentials.ts'
import { hashPassword, verifyNothing, verifyPassword } from '../src/lib/password.ts'
import { isSignedBy, signatureOf, type SignedParts } from '../src/lib/signature.ts'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { createSeller } from '../test/factories.ts'
import { slowestTexts } from './hostile-text.ts'
import { benchContext, environmentOf } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { compareTimes, T_LINE, type Contest } from './timing.ts'

/** Samples of each kind (`docs/security-checks.md` S08). */
const SAMPLES = 100_000
/** Inputs of each kind, so that none stands out by itself. */
const INPUTS = 10_000
const TOKENS = 1_000
const PASSWORD_SAMPLES = 2_000
const CHEAP = { memoryKib: 1_024, passes: 1, parallelism: 1 }
const HOSTILE_LINE_MS = 10

/** What separates the means once must do so again: one in 100,000 comparisons of equals is beyond the line. */
async function judge<T>(contest: Contest<T>, samples: number): Promise<void> {
  let verdict = await compareTimes(contest, samples)
  if (verdict.t >= T_LINE) verdict = await compareTimes(contest, samples)
  const pass = verdict.t < T_LINE
  failed ||= !pass
  const means = verdict.meansUs.map((mean) => `${mean.toFixed(3)} µs`).join(' and ')
  console.log(`  ${pass ? 'ok  ' : 'FAIL'} ${verdict.name}: t = ${verdict.t.toFixed(2)} (means ${means})`)
}

/** A token that is right but for its end, and one that is wrong from its beginning. */
async function tokens(context: Context): Promise<Contest<string>> {
  const issued = await transaction(context, async (tx) => {
    const { product } = await createSeller(tx)
    const tokenOf = async () => issueApiToken(tx, { productId: product.id, name: 'bench', expiresAt: null })
    const all: string[] = []
    for (let count = 0; count < TOKENS; count++) all.push((await tokenOf()).token)
    return all
  })
  return {
    name: 'look-up of a bearer token',
    run: (token) => findToken(context, token),
    ...prefixed(issued.map((right) => ({ right, wrong: newBearerToken() }))),
  }
}

const parts: SignedParts = {
  method: 'GET',
  contentMd5: '',
  contentType: 'application/json',
  date: 'Thu, 11 May 2023 11:45:30 +0000',
  path: '/v1/products/1/users.json',
}

function signatures(): Contest<string> {
  const { secretKey } = newKeyPair()
  const right = signatureOf(secretKey, parts)
  const wrong = () =>
    Buffer.from(createHash('sha256').update(newBearerToken()).digest('hex')).toString('base64url')
  return {
    name: 'comparison of a signature',
    run: (signature) => isSignedBy(secretKey, parts, signature),
    ...prefixed(Array.from({ length: TOKENS }, () => ({ right, wrong: wrong() }))),
  }
}

function publicKeys(): Contest<string> {
  const { publicKey } = newKeyPair()
  return {
    name: 'comparison of a public key',
    run: (key) => sameText(publicKey, key),
    ...prefixed(Array.from({ length: TOKENS }, () => ({ right: publicKey, wrong: newKeyPair().publicKey }))),
  }
}

/** Both kinds are put together in the same way, in turn, and end alike; neither is right. */
function prefixed(texts: readonly { readonly right: string; readonly wrong: string }[]) {
  const inputs: { left: string[]; right: string[] } = { left: [], right: [] }
  for (let n = 0; n < INPUTS; n++) {
    const { right = '', wrong = '' } = texts[n % texts.length] ?? {}
    const end = createHash('md5').update(String(n)).digest('base64url').slice(0, 4)
    inputs.left.push(Buffer.from(right.slice(0, -4) + end).toString('latin1'))
    inputs.right.push(Buffer.from(wrong.slice(0, -4) + end).toString('latin1'))
  }
  return inputs
}

/** A login with a wrong password, for an account that is there and for none (`docs/security-checks.md` S12). */
async function passwords(): Promise<Contest<'known' | 'unknown'>> {
  const stored = await hashPassword('the right password', CHEAP)
  return {
    name: 'check of a password',
    run: (account) =>
      account === 'known'
        ? verifyPassword('a wrong password', stored, CHEAP)
        : verifyNothing('a wrong password', CHEAP),
    left: ['known'],
    right: ['unknown'],
  }
}

let failed = false
await using closing = new AsyncDisposableStack()
const ctx = await benchContext(environmentOf({ KEYWRIGHT_DATA: await temporaryFolder(closing) }))
closing.defer(() => ctx.database.close())

console.log(`Right prefix beside wrong prefix: Welch's t of ${SAMPLES} samples each must be below ${T_LINE}`)
await judge(await tokens(ctx), SAMPLES)
await judge(signatures(), SAMPLES)
await judge(publicKeys(), SAMPLES)
console.log(`Known beside unknown account, ${PASSWORD_SAMPLES} samples each`)
await judge(await passwords(), PASSWORD_SAMPLES)
console.log(`Texts of 50,000 characters: each reader's slowest must take less than ${HOSTILE_LINE_MS} ms`)
for (const { reader, ms, text } of await slowestTexts()) {
  const pass = ms < HOSTILE_LINE_MS
  failed ||= !pass
  if (!pass || ms > 1) console.log(`  ${pass ? 'ok  ' : 'FAIL'} ${reader}: ${ms.toFixed(2)} ms for ${text}`)
}
process.exitCode = failed ? 1 : 0
