import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { inflate } from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'
import { atEnd } from '../ends.ts'

const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
const parts = join(packed, 'bin')
const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
  readonly version: string
}

/** Where Chromium is unpacked, once for all checkouts of this machine that have the same version. */
const home = join(tmpdir(), `keywright-chromium-${version}`)

/** Milliseconds after which an unpacking that is not done was cut off. */
const STALE = 120_000

/** Whether a browser can be had here: its package is for Linux on x64. */
export const hasBrowser = platform() === 'linux' && arch() === 'x64'

interface Browsing {
  /** Whether sites in frames of others are kept from cookies and storage, as by the setting of a user. */
  readonly blocksThirdParties?: true
}

let shared: Promise<Browser> | undefined

/** The Chromium of this process of tests, which all its files share and whose end closes it. */
export async function sharedBrowser(): Promise<Browser> {
  const there = await shared
  if (there?.isConnected()) return there
  shared = openBrowser()
  atEnd(async () => (await shared)?.close())
  return shared
}

/**
 * Starts Chromium. Shop and checkout are processes of their own, as in life; the package's own arguments would switch
 * off what these tests are about.
 */
export async function openBrowser({ blocksThirdParties }: Browsing = {}): Promise<Browser> {
  await unpacked()
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    headless: true,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
    },
    args: [
      '--no-sandbox',
      '--headless=shell',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--no-first-run',
      '--site-per-process',
      '--process-per-site',
      // What is compiled once more to run faster takes longer than most pages are open.
      '--js-flags=--no-maglev --no-turbofan',
      ...(blocksThirdParties ? BLOCKING : []),
    ],
  })
}

/** In the place of the features that Playwright switches off, of which partitioned storage is one. */
const BLOCKING = ['--test-third-party-cookie-phaseout', '--disable-features=Translate']

/** Unpacks the browser unless it is there; one process at a time. */
async function unpacked(): Promise<void> {
  const lock = `${home}.lock`
  while (!existsSync(home)) {
    const isMine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isMine) {
      await unpack().finally(() => rm(lock, { recursive: true, force: true }))
      return
    }
    await sleep(100)
    const taken = await stat(lock).catch(() => null)
    if (taken && Date.now() - taken.mtimeMs > STALE) await rm(lock, { recursive: true, force: true })
  }
}

/** Into a folder of its own first, so that one that is there is whole. */
async function unpack(): Promise<void> {
  const draft = `${home}.${process.pid}`
  await mkdir(draft)
  const before = process.env['TMPDIR']
  // The package unpacks into the system's temporary folder.
  process.env['TMPDIR'] = draft
  try {
    for (const name of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']) await inflate(join(parts, name))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await writeFile(join(draft, 'fonts.conf'), FONTS)
  await rename(draft, home)
}

/** The system's fonts, where it has any, and that of the package. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'cache')}</cachedir>
</fontconfig>
`
