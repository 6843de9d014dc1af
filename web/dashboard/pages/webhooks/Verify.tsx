import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { CODE, CODE_LANGUAGES, type CodeLanguage } from './code.ts'
import { judge, type Verdict } from './signature.ts'
import { words } from './words.ts'

/** Says of what a receiver got whether it is signed, and shows the code that does the same there. */
export function Verify() {
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const check = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const got = {
      secret: text('secret'),
      id: text('id'),
      timestamp: text('timestamp'),
      signature: text('signature'),
      // A form ends lines in its own way.
      body: String(form.get('body') ?? '').replaceAll('\r\n', '\n'),
    }
    setVerdict(await judge(got, Date.now() / 1000))
  }
  return (
    <section className="panel facts stack">
      <h2>{words.verify}</h2>
      <p className="muted">{words.verifyMore}</p>
      <div className="halves">
        <form className="stack" method="post" onSubmit={(event) => void check(event)}>
          <PasswordInput
            name="secret"
            label={words.secret}
            placeholder="whsec_…"
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': words.showSecret }}
          />
          <TextInput name="id" label="webhook-id" placeholder="evt_1" autoComplete="off" spellCheck={false} />
          <TextInput name="timestamp" label="webhook-timestamp" inputMode="numeric" autoComplete="off" />
          <TextInput name="signature" label="webhook-signature" placeholder="v1,…" autoComplete="off" />
          <Textarea name="body" label={words.body} description={words.bodyHelp} rows={4} spellCheck={false} />
          <Button type="submit" variant="default" className="at-start">
            {words.check}
          </Button>
          <p role="status" className={toneOf(verdict)}>
            {verdict === null ? '' : words.verdicts[verdict]}
          </p>
        </form>
        <Code />
      </div>
    </section>
  )
}

function toneOf(verdict: Verdict | null): string {
  if (verdict === null) return 'unseen'
  return verdict === 'valid' ? 'note good' : 'note bad'
}

function Code() {
  const [chosen, setChosen] = useState<CodeLanguage>('JavaScript')
  return (
    <div className="stack">
      <h3>{words.code}</h3>
      <div role="group" aria-label={words.language} className="chips">
        {CODE_LANGUAGES.map((one) => (
          <button key={one} type="button" aria-pressed={one === chosen} onClick={() => setChosen(one)}>
            {one}
          </button>
        ))}
      </div>
      <pre className="codes" tabIndex={0}>
        <code>{CODE[chosen]}</code>
      </pre>
    </div>
  )
}
