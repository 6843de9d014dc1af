import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type SubmitEvent } from 'react'
import { Problem } from '../../../shared/call.ts'
import { send } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

/** Asks for a link to another password: the answer tells nobody whether an address is known. */
export function Forgotten() {
  const asking = useMutation({
    mutationFn: (email: string) =>
      send({ method: 'POST', path: '/password/forgotten.json', body: { email } }),
  })
  useEffect(() => {
    document.title = `${texts.forgottenTitle} · ${texts.keywright}`
  }, [])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    asking.mutate(String(new FormData(event.currentTarget).get('email')).trim())
  }
  const { error } = asking
  return (
    <main className="alone">
      <form className="sign-in" method="post" onSubmit={submit} noValidate>
        <h1>{texts.forgottenTitle}</h1>
        <p className="muted">{texts.forgottenMore}</p>
        <p role="status" className={asking.isSuccess ? 'note good' : 'unseen'}>
          {asking.isSuccess ? texts.forgottenSent : ''}
        </p>
        <TextInput
          name="email"
          type="email"
          label={texts.email}
          autoComplete="username"
          error={error instanceof Problem ? (error.details[0]?.message ?? error.message) : null}
        />
        <Button type="submit" loading={asking.isPending}>
          {texts.forgottenSend}
        </Button>
        <p>
          <Link to="/sign-in">{texts.signIn}</Link>
        </p>
      </form>
    </main>
  )
}
