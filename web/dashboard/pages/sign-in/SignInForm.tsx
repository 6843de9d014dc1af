import { Button, Checkbox, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { Problem } from '../../../shared/call.ts'
import { Password } from '../../Password.tsx'
import { signIn } from '../../session.ts'
import { texts } from '../../texts/texts.ts'

interface Entering {
  /** What stands above the fields until something is refused. */
  readonly note: string | null
  /** Who is expected; empty: anybody. */
  readonly email?: string
  /** What follows; the form is busy until it is done. */
  readonly entered: () => Promise<void>
  readonly children?: ReactNode
}

/** Address and password, and a second factor where one is on. */
export function SignInForm({ note, email = '', entered, children }: Entering) {
  const { codesAsked, problem, isBusy, enter } = useSignIn(entered)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void enter(new FormData(event.currentTarget))
  }
  return (
    <form className="stack" method="post" onSubmit={submit} noValidate>
      {note === null || problem ? null : <p className="muted">{note}</p>}
      {problem ? (
        <p className="note bad" role="alert">
          {wordsOf(problem)}
        </p>
      ) : null}
      <TextInput
        name="email"
        type="email"
        label={texts.email}
        defaultValue={email}
        autoComplete="username"
        autoFocus={email === ''}
        required
        withAsterisk={false}
      />
      <Password
        name="password"
        label={texts.password}
        data-autofocus={email !== ''}
        required
        withAsterisk={false}
      />
      {codesAsked > 0 ? <Code asked={codesAsked} /> : null}
      <Checkbox name="stay" label={texts.stay} />
      <Button type="submit" loading={isBusy}>
        {texts.signIn}
      </Button>
      {children}
    </form>
  )
}

/** A code is missing, or was refused. */
const CODE_ASKED: readonly string[] = ['two_factor_required', 'two_factor_invalid']

function useSignIn(entered: () => Promise<void>) {
  const [codesAsked, setCodesAsked] = useState(0)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const enter = async (form: FormData) => {
    setBusy(true)
    setProblem(null)
    try {
      await signIn(credentialsIn(form))
      await entered()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (CODE_ASKED.includes(error.code)) setCodesAsked((times) => times + 1)
      if (error.code !== 'two_factor_required') setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { codesAsked, problem, isBusy, enter }
}

/** Has the focus each time that it is asked for, with what was refused selected. */
function Code({ asked }: { readonly asked: number }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [asked])
  return (
    <TextInput
      ref={field}
      name="code"
      label={texts.code}
      description={texts.codeHelp}
      autoComplete="one-time-code"
      required
      withAsterisk={false}
    />
  )
}

/** Digits are a code of the app; anything longer is a backup code. */
function credentialsIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  const code = text('code').trim()
  const proof =
    code === '' ? {} : /^[\d ]{6,8}$/.test(code) ? { code: code.replaceAll(' ', '') } : { backup_code: code }
  return { email: text('email').trim(), password: text('password'), remember_me: form.has('stay'), ...proof }
}

function wordsOf({ code, message }: Problem): string {
  if (code === 'invalid_credentials') return texts.wrongCredentials
  if (code === 'two_factor_invalid') return texts.wrongCode
  return message
}
