import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { Allowed } from './Allowed.tsx'
import { Dialog } from './Dialog.tsx'
import { Refusal, Said, useDoing, useFirstFault } from '../ui/doing.tsx'
import { changesOf, chosenIn, textOf, type Field, type Values } from './form-values.ts'
import { texts } from './texts/texts.ts'
import { Unsaved } from './Unsaved.tsx'

export type { Field, Values }

type Faults = Pick<ReturnType<typeof useDoing>, 'faultOf'>

/** The fields of a form, one under the other, each with what is wrong with it. */
function Inputs({
  fields,
  before,
  faults,
  isBarred = false,
}: {
  readonly fields: readonly Field[]
  readonly before: Values
  readonly faults: Faults
  readonly isBarred?: boolean
}) {
  return fields.map((field) => (
    <Input key={field.name} field={field} value={before[field.name]} faults={faults} isBarred={isBarred} />
  ))
}

function Input({ field, value, faults, isBarred }: InputOf) {
  const { name, label, help, kind, options = [] } = field
  const shared = { name, label, description: help, error: faults.faultOf(name), disabled: isBarred }
  const text = { ...shared, defaultValue: textOf(value), autoComplete: 'off' }
  switch (kind) {
    case 'flag':
      return (
        <Checkbox {...shared} defaultChecked={value === true} aria-invalid={shared.error !== undefined} />
      )
    case 'choice':
    case 'numbered':
      return <NativeSelect {...text} data={options.map(([key, word]) => ({ value: key, label: word }))} />
    case 'many':
      return <Many field={field} value={value} faults={faults} isBarred={isBarred} />
    case 'list':
    case 'lines':
      return <Textarea {...text} rows={4} />
    case 'number':
      return <TextInput {...text} inputMode="decimal" />
    case 'email':
      return <TextInput {...text} type="email" />
    case 'url':
      return <TextInput {...text} type="url" />
    default:
      return <TextInput {...text} />
  }
}

interface InputOf {
  readonly field: Field
  readonly value: unknown
  readonly faults: Faults
  readonly isBarred: boolean
}

/** Any number of a few. */
function Many({ field, value, faults, isBarred }: InputOf) {
  const { name, label, help, options = [] } = field
  const chosen = chosenIn(field, value)
  const fault = faults.faultOf(name)
  const told = useId()
  return (
    <fieldset className="many">
      <legend>{label}</legend>
      {help === undefined ? null : <p className="muted">{help}</p>}
      {options.map(([key, word]) => (
        <Checkbox
          key={key}
          name={name}
          value={key}
          label={word}
          defaultChecked={chosen.includes(key)}
          disabled={isBarred}
          aria-invalid={fault !== undefined}
          {...(fault !== undefined && { 'aria-describedby': told })}
        />
      ))}
      {fault === undefined ? null : (
        <p id={told} className="fault">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

type Sending = Parameters<ReturnType<typeof useDoing>['send']>[0]

interface Filled {
  readonly title: string
  readonly fields: readonly Field[]
  /** What the form is filled with, by the names of its fields. */
  readonly before: Values
}

interface Panel extends Pick<Filled, 'fields' | 'before'> {
  readonly sent: (changed: Record<string, unknown>) => Sending
}

/** What is typed into a part of a page, and what became of it. */
function usePanel({ fields, before, sent }: Panel) {
  const [said, setSaid] = useState('')
  const [isChanged, setChanged] = useState(false)
  const doing = useDoing(() => {
    setSaid(texts.saved)
    setChanged(false)
  })
  const form = useFirstFault(doing.problem)
  const look = () => {
    if (!form.current) return
    setChanged(Object.keys(changesOf(fields, before, new FormData(form.current))).length > 0)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSaid('')
    const changed = changesOf(fields, before, new FormData(event.currentTarget))
    if (Object.keys(changed).length === 0) setSaid(texts.unchanged)
    else doing.send(sent(changed))
  }
  return { said, isChanged, doing, form, look, submit }
}

/** A part of a page that is written as a whole: only what was changed is sent. */
export function FormPanel({
  title,
  about,
  fields,
  before,
  group,
  act = texts.save,
  isPaired = false,
  sent,
}: Filled & {
  readonly about?: string
  /** Two fields a line, where there is room. */
  readonly isPaired?: boolean
  /** The group of operations that its person must be let write. */
  readonly group: string
  readonly act?: string
  /** Where what was changed is sent. */
  readonly sent: (changed: Record<string, unknown>) => Sending
}) {
  const { said, isChanged, doing, form, look, submit } = usePanel({ fields, before, sent })
  return (
    <section className={isPaired ? 'panel card form paired' : 'panel card form'} aria-label={title}>
      <h2>{title}</h2>
      {about === undefined ? null : <p className="muted">{about}</p>}
      <form ref={form} className="stack" method="post" onSubmit={submit} onChange={look} noValidate>
        <Refusal problem={doing.problem} fields={fields.map(({ name }) => name)} />
        <Allowed group={group}>
          {(barred) => (
            <div className="stack">
              <div className={isPaired ? 'pairs' : 'stack'}>
                <Inputs
                  key={JSON.stringify(fields.map(({ name }) => before[name] ?? null))}
                  fields={fields}
                  before={before}
                  faults={doing}
                  isBarred={barred.disabled === true}
                />
              </div>
              <div>
                <Button {...barred} type="submit" loading={doing.isBusy}>
                  {act}
                </Button>
              </div>
            </div>
          )}
        </Allowed>
        <Said text={said} />
      </form>
      <Unsaved isChanged={() => isChanged} />
    </section>
  )
}

/** A form above the page, filled with what is there: what was changed is sent, nothing where nothing was. */
export function FormDialog<T>({
  title,
  fields,
  before,
  act = texts.save,
  note,
  sent,
  close,
  done = close,
}: Filled & {
  readonly act?: string
  /** What saving will do, above the buttons. */
  readonly note?: ReactNode
  readonly sent: (changed: Record<string, unknown>) => Sending
  readonly close: () => void
  readonly done?: (made: T) => void
}) {
  const doing = useDoing<T>(done)
  const submit = (form: FormData) => {
    const changed = changesOf(fields, before, form)
    const sending = sent(changed)
    if (sending.method === 'PUT' && Object.keys(changed).length === 0) close()
    else doing.send(sending)
  }
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      act={act}
      doing={doing}
      fields={fields.map(({ name }) => name)}
      submit={submit}
    >
      <Inputs fields={fields} before={before} faults={doing} />
      {note}
    </Dialog>
  )
}
