import { Option, type Command } from 'commander'
import { serverOption } from './address-argument.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { hashOf, uploadFile, type Answer, type Target } from './deploy-upload.ts'
import { idArgument } from './id-argument.ts'

interface Options {
  readonly product: number
  readonly server: string
  readonly releaseMode: 'pending' | 'beta' | 'released'
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
      new Option('--release-mode <mode>', 'who is offered it')
        .choices(['pending', 'beta', 'released'])
        .default('pending'),
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
  const progress = await progressOf(cli, size)
  const uploaded = await uploadFile(target, { file, sha256, size, data }, progress.at).finally(progress.end)
  const { id, version } = expectOk(uploaded) as unknown as Version
  const { releaseMode } = options
  if (releaseMode !== 'pending') expectOk(await change(target, id, { release_mode: releaseMode }))
  const value = { id, product_id: String(options.product), version, release_mode: releaseMode, sha256 }
  cli.result(value, `Version ${version} (${id}) is ${releaseMode}.`)
}

/** A repeated upload is answered as the first one was, for a day. */
interface Version {
  readonly id: string
  readonly version: string
}

function expectOk({ status, json }: Answer): Readonly<Record<string, unknown>> {
  if (status < 300 && json !== null) return json
  const { code, message } = (json?.['error'] ?? {}) as { code?: string; message?: string }
  throw new Failure(code ?? 'refused', message ?? `The server answered ${status}.`)
}

async function change({ url, token }: Target, id: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/${id}.json`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Answer['json'] }
}

/** A bar for people at a terminal; nothing for anybody else. */
async function progressOf(cli: Cli, total: number) {
  if (cli.json || !process.stderr.isTTY) return { at: () => {}, end: () => {} }
  const { SingleBar, Presets } = (await import('cli-progress')).default
  const bar = new SingleBar(
    { format: 'uploading {bar} {percentage}% {eta}s', hideCursor: true },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return { at: (sent: number) => bar.update(sent), end: () => bar.stop() }
}
