import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { Billing } from '../../../src/people/users/billing-schema.ts'
import type { User } from '../../../src/people/users/schema.ts'
import { countriesIn } from '../../shared/countries.ts'
import { fill } from '../../shared/language.ts'
import { Refusal, Said, useDoing } from '../../ui/doing.tsx'
import { Failed, Loading } from '../../ui/parts.tsx'
import { ask, askIfAny } from '../../ui/server.ts'
import { Head } from '../Head.tsx'
import { Data } from './Data.tsx'
import { OffByMail } from '../OffByMail.tsx'
import { useVisit } from '../session.ts'
import { language, texts } from '../texts/texts.ts'

/** Who the user is, and what stands on the invoices. */
export function Profile() {
  const { user, off } = useVisit()
  const path = `/users/${user.id}`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<User>(`${path}.json`),
  })
  const billing = useQuery({
    queryKey: [path, 'billing'],
    queryFn: async (): Promise<Partial<Billing>> => (await askIfAny<Billing>(`${path}/billing.json`)) ?? {},
  })
  return (
    <>
      <Head title={texts.profile} />
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : data === undefined || billing.data === undefined ? (
        <Loading />
      ) : (
        <>
          {off.includes('profile') ? (
            <OffByMail text={texts.profileByMail} />
          ) : (
            <>
              <Person user={data} path={path} />
              <Language chosen={user.language} />
            </>
          )}
          {off.includes('billing_details') ? null : <BillingAddress billing={billing.data} path={path} />}
          <Data />
        </>
      )}
    </>
  )
}

const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

function Person({ user, path }: { readonly user: User; readonly path: string }) {
  const [said, setSaid] = useState('')
  const [mailed, setMailed] = useState('')
  const doing = useDoing<unknown>(() =>
    setSaid(mailed === '' ? texts.saved : fill(texts.emailSent, { email: mailed, former: user.email })),
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = textIn(form, 'email')
    const isOther = email !== user.email
    setMailed(isOther ? email : '')
    setSaid('')
    const names = { first: textIn(form, 'first'), last: textIn(form, 'last') }
    const body = { ...names, is_marketing_allowed: form.has('news'), ...(isOther && { email }) }
    doing.send({ method: 'PUT', path: `${path}.json`, body })
  }
  return (
    <form className="panel form stack" method="post" onSubmit={submit} noValidate>
      <Refusal problem={doing.problem} fields={['first', 'last', 'email']} />
      <Said text={said} />
      <TextInput name="first" label={texts.first} defaultValue={user.first} error={doing.faultOf('first')} />
      <TextInput name="last" label={texts.last} defaultValue={user.last} error={doing.faultOf('last')} />
      <TextInput
        name="email"
        type="email"
        label={texts.email}
        description={texts.emailHelp}
        autoComplete="email"
        defaultValue={user.email}
        error={doing.faultOf('email')}
      />
      <Checkbox name="news" label={texts.news} defaultChecked={user.is_marketing_allowed === true} />
      <Button type="submit" loading={doing.isBusy}>
        {texts.save}
      </Button>
    </form>
  )
}

/** In what the pages are shown and mails are written, in every browser. */
function Language({ chosen }: { readonly chosen: string | null }) {
  const doing = useDoing<unknown>(() => {})
  const choose = (tag: string) =>
    doing.send({ method: 'PUT', path: '/portal/language.json', body: { language: tag === '' ? null : tag } })
  return (
    <section className="panel form stack">
      <Refusal problem={doing.problem} />
      <NativeSelect
        label={texts.language}
        description={texts.languageMore}
        value={chosen ?? ''}
        disabled={doing.isBusy}
        onChange={({ target }) => choose(target.value)}
        data={[
          { value: '', label: texts.asTheBrowser },
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
      />
    </section>
  )
}

const FIELDS = [
  ['business_name', texts.company, 'organization'],
  ['tax_id', texts.vatId, 'off'],
  ['address_street', texts.street, 'address-line1'],
  ['address_zip', texts.zip, 'postal-code'],
  ['address_city', texts.city, 'address-level2'],
] as const

const COUNTRY = 'address_country_code'
const COUNTRIES = countriesIn(language).map(({ code, name }) => ({ value: code.toLowerCase(), label: name }))

function BillingAddress({ billing, path }: { readonly billing: Partial<Billing>; readonly path: string }) {
  const [said, setSaid] = useState('')
  const doing = useDoing<unknown>(() => setSaid(texts.saved))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setSaid('')
    const body = Object.fromEntries(
      [...FIELDS.map(([name]) => name), COUNTRY].map((name) => [name, textIn(form, name)]),
    )
    doing.send({ method: 'PUT', path: `${path}/billing.json`, body })
  }
  return (
    <form className="panel form stack" method="post" onSubmit={submit} noValidate>
      <h2>{texts.billing}</h2>
      <p className="muted">{texts.billingMore}</p>
      <Refusal problem={doing.problem} fields={[...FIELDS.map(([name]) => name), COUNTRY]} />
      <Said text={said} />
      {FIELDS.map(([name, label, complete]) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          autoComplete={complete}
          defaultValue={billing[name] ?? ''}
          error={doing.faultOf(name) && (name === 'tax_id' ? texts.vatIdWrong : doing.faultOf(name))}
        />
      ))}
      <NativeSelect
        name={COUNTRY}
        label={texts.country}
        autoComplete="country"
        defaultValue={billing[COUNTRY] ?? ''}
        data={[{ value: '', label: texts.none }, ...COUNTRIES]}
        error={doing.faultOf(COUNTRY)}
      />
      <Button type="submit" loading={doing.isBusy}>
        {texts.save}
      </Button>
    </form>
  )
}
