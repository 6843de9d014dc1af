import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { getPHPLoaderModule } from '@php-wasm/node-8-3'
import { loadPHPRuntime, PHP } from '@php-wasm/universal'
import { loadPyodide } from 'pyodide'
import type { Table } from './cases.ts'
import { source, type Run } from './in-javascript.ts'
import { CLIENTS, type Verified } from './verify.ts'

const PYTHON = `
import json
from license_file import verify

def verified(publicKeys, file, productId, keys, now, uid=None, lastSeen=None):
    return verify(file, public_keys=publicKeys[keys], product_id=productId, uid=uid, now=now, last_seen=lastSeen)

table = json.loads(table_text)
json.dumps([verified(table["publicKeys"], one["file"], **one["given"]) for one in table["cases"]])
`

export const inPython: Run = async (table) => {
  const python = await loadPyodide()
  python.FS.writeFile('/home/pyodide/license_file.py', await source('license_file.py'))
  python.globals.set('table_text', JSON.stringify(table))
  return JSON.parse(python.runPython(PYTHON)) as Verified[]
}

const PHP_TABLE = `
$table = json_decode(stream_get_contents($input), true);
$verified = function ($case) use ($table) {
    $given = $case['given'];
    return KeywrightLicenseFile::verify($case['file'], ['publicKeys' => $table['publicKeys'][$given['keys']]] + $given);
};
echo json_encode(array_map($verified, $table['cases']));
`

/** Stands for sodium, as WordPress has one for a PHP without: the same name, arguments and answer. */
const SODIUM = `
function sodium_crypto_sign_verify_detached($signature, $message, $key) {
    $verify = fn () => self::isSignedByArithmetic($signature, $message, $key);
    return Closure::bind($verify, null, 'KeywrightLicenseFile')();
}
`

/** Without sodium, and so by the verifier's own arithmetic. */
export const inPhp: Run = (table) => runPhp('', table)

export const inPhpWithStandIn: Run = (table) => runPhp(SODIUM, table)

const runPhp = async (before: string, table: Table): Promise<readonly Verified[]> => {
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), {}))
  try {
    php.writeFile('/license-file.php', await source('license-file.php'))
    php.writeFile('/table.json', JSON.stringify(table))
    const code = `<?php require '/license-file.php'; ${before} $input = fopen('/table.json', 'r'); ${PHP_TABLE}`
    const { text, errors } = await php.run({ code })
    if (errors !== '') throw new Error(errors)
    return JSON.parse(text) as Verified[]
  } finally {
    php.exit()
  }
}

const NATIVE = 'php'
const php = (code: string, input = '') => spawnSync(NATIVE, ['-r', code], { encoding: 'utf8', input })

/** Whether this machine has a PHP with sodium. */
export const hasPhpWithSodium = (): boolean =>
  php("echo extension_loaded('sodium') ? 'yes' : 'no';").stdout === 'yes'

export const inPhpWithSodium: Run = async (table) => {
  const verifier = JSON.stringify(join(CLIENTS, 'license-file.php'))
  const code = `require ${verifier}; $input = STDIN; ${PHP_TABLE}`
  return JSON.parse(php(code, JSON.stringify(table)).stdout) as Verified[]
}
