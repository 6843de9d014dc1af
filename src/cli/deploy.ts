import { Option, type Command } from 'commander'
import { serverOption } from './address-argument.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { ask, hashOf, uploadFile, type Answer, type Target, type Upload } from './deploy-upload.ts'
import { idArgument } from './id-argument.ts'
import { progressOn } from './progress.ts'

/** The most that a list gives at once. */
const PAGE = 50

interface Options {
  readonly product: number
  readonly server: string
  readonly releaseMode?: 'pending' | 'beta' | 'released'
  readonly tag?: string
  readonly requires?: string
}

export function register(program: Command, cli: Cli): void {
  program
    .command('deploy')
    .description('upload a version of a product and release it; repeat it after a broken connection')
    .argument('<file>', 'ZIP file of the version')
    .requiredOption('--product <id>', 'product that it is a version of', idArgument)
    .addOption(serverOption(cli))
    .addOption(
      new Option('--release-mode <mode>', 'who is offered it, which is nobody at first').choices([
        'pending',
        'beta',
        'released',
      ]),
    )
    .option('--tag <version>', 'its version, where the archive does not say it')
    .option('--requires <version>', 'lowest version of the platform, where the archive does not say it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nKEYWRIGHT_API_TOKEN is the token of the product.')
    .action((file: string, options: Options) => deploy(cli, file, options))
}

async function deploy(cli: Cli, file: string, options: Options): Promise<void> {
  const token = cli.env['KEYWRIGHT_API_TOKEN']
  if (!token) throw new Failure('no_token', 'Set KEYWRIGHT_API_TOKEN to a token of the product.')
  const target: Target = { url: `${options.server}/v1/products/${options.product}/tags`, token }
  const data = {
    ...(options.tag !== undefined && { version: options.tag }),
    ...(options.requires !== undefined && { requires_platform_version: options.requires }),
  }
  const { sha256, size } = await hashOf(file)
  const progress = await progressOn(cli.terminal, 'uploading', size)
  const uploaded = await upload(target, { file, sha256, size, data }, progress.at).finally(progress.end)
  const shown = await released(target, uploaded, options.releaseMode)
  const { id, version, release_mode: mode } = shown
  const value = { id, product_id: String(options.product), version, release_mode: mode, sha256 }
  cli.result(value, `Version ${version} (${id}) is ${mode}.`)
}

interface Version {
  readonly id: string
  readonly version: string
  readonly release_mode: string
}

/**
 * The version as it is now. A repeated upload is answered as the first one was, for a day: of one that was deleted
 * since, the file is sent once more, under a key of its own that a repeated command comes to as well.
 */
async function upload(target: Target, sent: Upload, progress: (sent: number) => void): Promise<Version> {
  for (let next = sent; ;) {
    const answer = await uploadFile(target, next, progress)
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

function expectOk({ status, json }: Answer): Readonly<Record<string, unknown>> {
  if (status < 300 && json !== null) return json
  const { code, message } = (json?.['error'] ?? {}) as { code?: string; message?: string }
  throw new Failure(code ?? 'refused', message ?? `The server answered ${status}.`)
}
