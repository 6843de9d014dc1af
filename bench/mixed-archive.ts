import { randomFillSync } from 'node:crypto'
import { pluginZip } from '../test/archives.ts'

const FILES = 60
const CLASSES = 40
const PICTURE = 2_000_000

/** A plugin of some 60 files with code, of which a third has premium parts, and a picture that does not pack. */
export function archiveWithCode(version: string): Promise<Buffer> {
  const code = Array.from({ length: FILES }, (_, n) => [`example/inc/class-${n}.php`, codeOf(n)])
  const files = { ...Object.fromEntries(code), 'example/assets/picture.bin': picture }
  return pluginZip({ version, files: files as Record<string, string | Buffer> })
}

const picture = randomFillSync(Buffer.alloc(PICTURE))

function codeOf(file: number): string {
  const methods = Array.from(
    { length: CLASSES },
    (_, n) =>
      `  /** Does what number ${n} does. */\n  public function method_${n}( $one, $two ) {\n    return array( 'one' => $one + ${n * file}, 'two' => $two );\n  }\n`,
  )
  if (file % 3 === 0)
    methods.push(
      `  public function more__premium_only() {\n    return pro();\n  }\n  public function mixed() {\n    if ( fs()->is__premium_only() ) {\n      $this->more__premium_only();\n    }\n  }\n`,
    )
  return `<?php\nclass Example_${file} {\n${methods.join('\n')}}\n`
}
