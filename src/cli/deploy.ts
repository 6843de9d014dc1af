import { setTimeout as delay } from 'node:timers/promises'
import { SECOND } from '../lib/time.ts'
import { idArgument, oneOf, pathArgument } from './arguments.ts'
import { plainCommand } from './command.ts'
import { Failure } from './failure.ts'
import { ask, hashOf, uploadFile, type Answer, type Target, type Upload } from './deploy-upload.ts'
import { SERVER_OPTION, serverToCall } from './server-option.ts'

/** The most that a list gives at once. */
const PAGE = 50

const modeArgument = oneOf(['pending', 'beta', 'released'], 'Allowed choices are')

export const command = plainCommand({
  describe: 'upload a version of a product and release it; repeat it after a broken connection',
  docs: 'docs/deployments.md',
  arguments: { '<file>': { describe: 'ZIP file of the version', parse: pathArgument } },
  options: {
    '--product <id>': { describe: 'product that it is a version of', parse: idArgument, required: true },
    ...SERVER_OPTION,
    '--release-mode <mode>': {
      describe: 'who is offered it, which is nobody at first',
      parse: modeArgument,
    },
    '--tag <version>': { describe: 'its version, where the archive does not say it' },
    '--requires <version>': {
      describe: 'lowest version of the platform, where the archive does not say it',
    },
  },
  more: 'KEYWRIGHT_API_TOKEN is the token of the product.',
  handler: async ({ file, product, server, releaseMode, tag, requires }, cli) => {
    const token = cli.env['KEYWRIGHT_API_TOKEN']?.trim() ?? ''
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new Failure('no_token', 'Set KEYWRIGHT_API_TOKEN to a token of the product.')
    const address = await serverToCall(cli, server)
    const target: Target = { url: `${address}/v1/products/${product}/tags`, token }
    const data = {
      ...(tag !== undefined && { version: tag }),
      ...(requires !== undefined && { requires_platform_version: requires }),
    }
    const { sha256, size } = await hashOf(file)
    const sent = (done: number) => cli.tell({ what: 'uploading', done, of: size, unit: 'bytes' })
    const send = {
      send: (one: Upload) => uploadFile(target, one, sent),
      note: (text: string) => cli.note(text),
    }
    const uploaded = await upload(target, { file, sha256, size, data }, send)
    const shown = await released(target, uploaded, releaseMode)
    const { id, version, release_mode: mode, has_free, has_premium } = shown
    const noFree = has_free ? null : await whyNotFree(target, id)
    const product_id = String(product)
    const value = {
      id,
      product_id,
      version,
      release_mode: mode,
      has_free,
      has_premium,
      no_free: noFree,
      sha256,
    }
    const why = noFree === null ? '' : `: ${NO_FREE[noFree] ?? noFree}`
    return { value, text: `Version ${version} (${id}) is ${mode}, with ${buildsOf(shown)}${why}.` }
  },
})

/** Why a product that is sold has no free build of a version (`docs/deployments.md`). */
const NO_FREE: Readonly<Record<string, string>> = {
  not_wordpress: 'only plugins and themes of WordPress have a free build where a product is sold',
  no_readme: 'there is no readme.txt in the archive',
  no_sdk: 'there is no SDK in the archive, and the product requires one',
  nothing_marked: 'nothing in the archive is marked as premium, and the product has no free plan',
}

/** Null where the server does not tell. */
async function whyNotFree({ url, token }: Target, id: string): Promise<string | null> {
  const answer = await ask(`${url}/${id}/report.json`, { headers: { authorization: `Bearer ${token}` } })
  const why = answer.json?.['no_free']
  return typeof why === 'string' ? why : null
}

const buildsOf = ({ has_free: free, has_premium: premium }: Version) =>
  free && premium ? 'a free and a premium build' : `a ${free ? 'free' : 'premium'} build only`

interface Version {
  readonly id: string
  readonly version: string
  readonly release_mode: string
  readonly has_free: boolean
  readonly has_premium: boolean
}

interface Sending {
  send(upload: Upload): Promise<Answer>
  /** For people. */
  note(text: string): void
}

/** How often it is looked whether an earlier upload of the same file has ended, for two minutes in all. */
const LOOKS = 10
const LONGEST_WAIT_MS = 16 * SECOND

/**
 * The version as it is now. A repeated upload is answered as the first one was, for a day: of one that was deleted
 * since, the file is sent once more, under a key of its own that a repeated command comes to as well.
 */
async function upload(target: Target, sent: Upload, { send, note }: Sending): Promise<Version> {
  let looks = 0
  for (let next = sent; ;) {
    const answer = await send(next)
    // Of a server that was stopped in the middle this is known a minute later.
    if (codeIn(answer) === 'idempotency_in_flight' && looks++ < LOOKS) {
      note('An earlier upload of this file is still in work; waiting for its end.')
      await delay(Math.min(LONGEST_WAIT_MS, 2 ** (looks - 1) * SECOND))
      continue
    }
    if (codeIn(answer) === 'missing_argument')
      throw new Failure('missing_argument', `${messageIn(answer)} --tag and --requires say it.`)
    const version = expectOk(answer) as unknown as Version
    if (!answer.isReplayed) return version
    const now = await find(target, version.id)
    if (now) return now
    next = { ...sent, deleted: version.id }
  }
}

async function released({ url, token }: Target, version: Version, mode: string | undefined) {
  if (mode === undefined || mode === version.release_mode) return version
  const answer = await ask(`${url}/${version.id}.json`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ release_mode: mode }),
  })
  return expectOk(answer) as unknown as Version
}

/** Undefined when it was deleted; the latest uploads are listed first. */
async function find({ url, token }: Target, id: string): Promise<Version | undefined> {
  for (let offset = 0; ; offset += PAGE) {
    const answer = await ask(`${url}.json?count=${PAGE}&offset=${offset}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { tags } = expectOk(answer) as { tags: readonly Version[] }
    const found = tags.find((one) => one.id === id)
    if (found || tags.length < PAGE) return found
  }
}

function expectOk(answer: Answer): Readonly<Record<string, unknown>> {
  const { status, json } = answer
  if (status < 300 && json !== null) return json
  throw new Failure(codeIn(answer) ?? 'refused', messageIn(answer) ?? `The server answered ${status}.`)
}

const errorIn = ({ json }: Answer) =>
  (json?.['error'] ?? {}) as { readonly code?: string; readonly message?: string }
const codeIn = (answer: Answer) => errorIn(answer).code
const messageIn = (answer: Answer) => errorIn(answer).message
