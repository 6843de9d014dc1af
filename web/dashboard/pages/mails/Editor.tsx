import { Button, Textarea, TextInput } from '@mantine/core'
import { useRef, useState, type SubmitEvent } from 'react'
import type { MailTemplateText } from '../../../../src/catalogue/mails/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { faultIn, Refusal, Said, useDoing, useFirstFault } from '../../../ui/doing.tsx'
import { mailName, mailTexts as words } from '../../texts/of-mails.ts'
import { texts } from '../../texts/texts.ts'
import { Unsaved } from '../../Unsaved.tsx'
import { Placeholders } from './Placeholders.tsx'
import { Shown } from './Shown.tsx'
import { useDraft, type Draft } from './draft.ts'
import { LANGUAGES } from './languages.ts'

const FIELDS = ['subject', 'body', 'button', 'closing'] as const

interface Edited {
  readonly text: MailTemplateText
  /** What the calls about the mail begin with. */
  readonly own: string
}

/** The text as it is written, and the mail as it would be sent beside it. */
export function Editor({ text, own }: Edited) {
  const { draft, change, isChanged, preview, isRefused, problem } = useDraft(text, own)
  const [said, setSaid] = useState('')
  const [isResetting, setResetting] = useState(false)
  const saving = useDoing(() => setSaid(texts.saved))
  const wrong = saving.problem ?? problem
  const form = useFirstFault(saving.problem)
  const faultOf = (name: string) => faultIn(wrong, name)
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSaid('')
    saving.send({ method: 'PUT', path: `${own}.json`, body: { ...draft, language: text.language } })
  }
  const write = (name: keyof Draft) => (value: string) => {
    saving.reset()
    change({ [name]: value })
  }
  return (
    <div className="halves">
      <form ref={form} className="panel card stack" method="post" onSubmit={save} noValidate>
        <Refusal problem={saving.problem} fields={FIELDS} />
        <Said text={said} />
        <Fields text={text} draft={draft} write={write} faultOf={faultOf} />
        <Acts
          text={text}
          own={own}
          isChanged={isChanged}
          isSaving={saving.isBusy}
          said={setSaid}
          reset={() => setResetting(true)}
        />
      </form>
      <div className="stack">
        {isRefused ? <p className="note bad">{words.previewFailed}</p> : null}
        {preview === undefined ? null : <Shown content={preview} label={words.preview} />}
      </div>
      <Unsaved isChanged={() => isChanged} isOfQuery />
      {/* Beside the form: what it submits would be submitted there too. */}
      {isResetting ? (
        <Confirm
          title={words.reset}
          text={fill(words.resetMore, {
            mail: mailName(text.name),
            language: words.languages[LANGUAGES.find((one) => one === text.language) ?? 'en'],
          })}
          keep={words.resetKeep}
          sent={{ method: 'DELETE', path: `${own}.json`, query: { language: text.language } }}
          close={() => setResetting(false)}
        />
      ) : null}
    </div>
  )
}

interface Written {
  readonly text: MailTemplateText
  readonly draft: Draft
  readonly write: (name: keyof Draft) => (value: string) => void
  readonly faultOf: (name: string) => string | undefined
}

function Fields({ text, draft, write, faultOf }: Written) {
  const body = useRef<HTMLTextAreaElement>(null)
  const shared = (name: keyof Draft) => ({
    name,
    value: draft[name],
    error: faultOf(name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => write(name)(target.value),
    autoComplete: 'off',
  })
  return (
    <>
      <TextInput {...shared('subject')} label={words.subject} />
      <Textarea
        {...shared('body')}
        ref={body}
        label={words.body}
        description={words.bodyHelp}
        autosize
        minRows={6}
        maxRows={20}
      />
      <Placeholders names={text.placeholders} field={body} write={write('body')} />
      {text.has_button ? (
        <TextInput {...shared('button')} label={words.button} description={words.buttonHelp} />
      ) : null}
      <Textarea {...shared('closing')} label={words.closing} description={words.closingHelp} rows={3} />
    </>
  )
}

interface Acting extends Edited {
  readonly isChanged: boolean
  readonly isSaving: boolean
  readonly said: (text: string) => void
  readonly reset: () => void
}

function Acts({ text, own, isChanged, isSaving, said, reset }: Acting) {
  const testing = useDoing(() => said(words.testSent))
  const { language } = text
  return (
    <Allowed group="catalogue">
      {(barred) => (
        <>
          <div className="actions">
            <Button {...barred} type="submit" loading={isSaving}>
              {texts.save}
            </Button>
            <Button
              {...barred}
              variant="default"
              disabled={barred.disabled ?? isChanged}
              title={barred.title ?? (isChanged ? words.saveFirst : undefined)}
              loading={testing.isBusy}
              onClick={() => testing.send({ method: 'POST', path: `${own}/test.json`, body: { language } })}
            >
              {words.sendTest}
            </Button>
            {text.is_own ? (
              <Button {...barred} variant="default" onClick={reset}>
                {words.reset}
              </Button>
            ) : null}
          </div>
          {isChanged ? <p className="muted">{words.changed}</p> : null}
          <Refusal problem={testing.problem} />
        </>
      )}
    </Allowed>
  )
}
