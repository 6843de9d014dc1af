import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dirname, '../../web/dashboard')

/** Each file of the dashboard with its source. */
export const SOURCES = new Map(
  globSync('**/*.{ts,tsx}', { cwd: WEB }).map(
    (file) => [file, readFileSync(join(WEB, file), 'utf8')] as const,
  ),
)

type Source = readonly [file: string, source: string]

const titleIn = (attributes: string) => /\stitle=\{(.+)\}$/m.exec(attributes)?.[1]

/**
 * What a source asks before it is done, as `file title`: each `Confirm`, each form whose button is dangerous, and each
 * such button alone.
 */
export function questionsIn([file, source]: Source): readonly string[] {
  const forms = source.split('<Dialog').slice(1)
  const dangerous = forms.filter((form) => /^\s*isDangerous$/m.test(form.split(/^\s*>$/m)[0] ?? ''))
  const alone = /className="danger"/.test(source) ? [`${file} danger`] : []
  const titled = [...source.split('<Confirm').slice(1), ...dangerous].map((one) => {
    const [attributes = ''] = one.split('/>')
    return `${file} ${titleIn(attributes) ?? '…'}`
  })
  return [...titled, ...alone]
}

/** Each form of a source, as `file title`, and a number where it is not the first of that title. */
export function formsIn([file, source]: Source): readonly string[] {
  const tags = [...source.matchAll(/<(FormDialog|FormPanel|Dialog|form)\b([^]*?)^\s*\/?>$/gm)]
  const names = tags.map(([, tag, attributes = '']) =>
    tag === 'form' ? `${file} form` : `${file} ${titleIn(attributes) ?? '…'}`,
  )
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((one) => one === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })
}
