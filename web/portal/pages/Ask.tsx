import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, type SubmitEvent } from 'react'
import { Problem } from '../../shared/call.ts'
import { send } from '../../ui/server.ts'
import { Help } from '../Help.tsx'
import { said, usePaint } from '../look.ts'
import { Mark } from '../Mark.tsx'
import { isFramed } from '../place.ts'
import { place } from '../session.ts'
import { language, texts } from '../texts/texts.ts'

/** Asks for the address that something was bought with; the answer tells nobody whether it is known. */
export function Ask() {
  const asking = useMutation({
    mutationFn: (email: string) =>
      send({
        method: 'POST',
        path: '/portal/link.json',
        body: { email, language, product_id: place?.product_id, store_id: place?.store_id },
      }),
  })
  useEffect(() => {
    document.title = `${texts.askTitle} · ${place?.title ?? texts.portal}`
  }, [])
  usePaint(place?.look.accent ?? null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!asking.isPending) asking.mutate(String(new FormData(event.currentTarget).get('email')).trim())
  }
  const { error } = asking
  if (!place) {
    return (
      <main className="alone">
        <h1>{texts.askTitle}</h1>
        <p>{texts.askNowhere}</p>
      </main>
    )
  }
  const greeting = said(place.look.greeting)
  return (
    <main className="alone">
      <form className="sign-in" method="post" onSubmit={submit} noValidate>
        <p className="portal-product">
          <Mark icon={place.icon} logo={place.look.logo_url} size={32} />
          <strong>{place.title}</strong>
        </p>
        {greeting === null ? null : <p>{greeting}</p>}
        <h1>{texts.askTitle}</h1>
        <p className="muted">{texts.askMore}</p>
        <p role="status" className={asking.isSuccess ? 'note good' : 'unseen'}>
          {asking.isSuccess ? texts.askSent : ''}
        </p>
        <TextInput
          name="email"
          type="email"
          label={texts.email}
          autoComplete="email"
          error={error instanceof Problem ? (error.details[0]?.message ?? error.message) : null}
        />
        <Button type="submit" loading={asking.isPending}>
          {texts.askSend}
        </Button>
        {isFramed ? (
          <a href={window.location.href} target="_blank" rel="noopener">
            {texts.askOutside}
          </a>
        ) : null}
        <Help look={place.look} />
      </form>
    </main>
  )
}
