import { useRef, useState } from 'preact/hooks'
import { copyText } from '../shared/copy.ts'
import { CODE, FORMS, type Form } from './code.ts'
import type { About } from './Designer.tsx'
import type { Values } from './parameters.ts'

interface Wanted {
  readonly productId: string
  readonly values: Values
}

/** What is put into the seller's page, in one of three forms, with a button that copies it. */
export function Code({ texts, base, wanted }: About & { readonly wanted: Wanted }) {
  const { words, forms } = texts
  const [form, setForm] = useState<Form>('link')
  const [copied, setCopied] = useState<string | null>(null)
  const box = useRef<HTMLPreElement>(null)
  const code = CODE[form](
    { base, productId: wanted.productId || 'PRODUCT', values: wanted.values },
    words.buy,
  )
  const copy = async () => {
    await copyText(code, box.current)
    setCopied(code)
  }
  return (
    <section aria-labelledby="code-title">
      <div class="bar">
        <h2 id="code-title">{words.code}</h2>
        <fieldset class="switch">
          <legend class="unseen">{words.code}</legend>
          {FORMS.map((one) => (
            <label key={one}>
              <input type="radio" name="form" checked={form === one} onChange={() => setForm(one)} />
              <span>{forms[one]}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={() => void copy()}>
          <span aria-live="polite">{copied === code ? words.copied : words.copy}</span>
        </button>
      </div>
      <pre ref={box} tabIndex={0} role="region" aria-label={forms[form]}>
        <code>{code}</code>
      </pre>
    </section>
  )
}
