import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { MailWithContent } from '../../../../src/catalogue/mails/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { Copy, numberText, Time } from '../../format.tsx'
import { Owner } from '../../links.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Blank, Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { mailName, mailTexts as words } from '../../texts/of-mails.ts'
import { texts } from '../../texts/texts.ts'
import { MailState } from './Mails.tsx'
import { Shown } from './Shown.tsx'

/** One mail: to whom it is, what became of it, what it says while that is kept, and the way to send it again. */
export function Mail() {
  const { path } = usePlace()
  const { mail = '' } = useParams({ strict: false })
  const own = `${path}/mails/${mail}`
  return (
    <One<MailWithContent> title={words.mail} path={own}>
      {(found) => (
        <>
          <Head mail={found} own={own} />
          <div className="two">
            {found.content === null ? (
              <Blank title={words.saidTitle} more={words.gone} />
            ) : (
              <div className="stack">
                <Shown content={found.content} label={words.saidTitle} />
                <p className="muted">{words.covered}</p>
              </div>
            )}
            <MailFacts mail={found} />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={{ ...found, content: undefined }} />
        </>
      )}
    </One>
  )
}

interface OfMail {
  readonly mail: MailWithContent
}

function Head({ mail, own }: OfMail & { readonly own: string }) {
  const [said, setSaid] = useState('')
  const doing = useDoing(() => setSaid(words.retried))
  return (
    <>
      <PageHead
        title={mailName(mail.kind)}
        about={mail.email}
        state={<MailState state={mail.state} />}
        actions={
          mail.is_kept ? (
            <Allowed group="customers">
              {(barred) => (
                <Button
                  {...barred}
                  loading={doing.isBusy}
                  onClick={() => doing.send({ method: 'POST', path: `${own}/retry.json` })}
                >
                  {words.retry}
                </Button>
              )}
            </Allowed>
          ) : undefined
        }
      />
      <Refusal problem={doing.problem} />
      <Said text={doing.problem ? '' : said} />
    </>
  )
}

const MailFacts = ({ mail }: OfMail) => (
  <Facts
    facts={[
      { label: words.to, value: <Copy text={mail.email} /> },
      { label: texts.customer, value: <Owner id={mail.user_id} /> },
      { label: words.created, value: <Time time={mail.created} /> },
      { label: words.sent, value: <Time time={mail.sent} /> },
      { label: words.nextAttempt, value: <Time time={mail.next_attempt} /> },
      { label: words.attempts, value: numberText(mail.attempts) },
      { label: words.error, value: mail.error },
      { label: texts.id, value: <Copy text={mail.id} /> },
      { label: words.body, value: <TextsLink kind={mail.kind} /> },
    ]}
  />
)

/** Of several that follow each other the one that it was is not known, and some have no own text. */
const WITHOUT_PAGE = ['cart_recovery', 'renewal_failed', 'ownership_change', 'contact', 'webhook_off']

function TextsLink({ kind }: { readonly kind: string }) {
  const { account, product } = usePlace()
  const of = { account: account.developer_id, product }
  return WITHOUT_PAGE.includes(kind) ? (
    <Link to="/$account/$product/mail-texts" params={of}>
      {words.ownTexts}
    </Link>
  ) : (
    <Link to="/$account/$product/mail-texts/$template" params={{ ...of, template: kind }}>
      {words.seeText}
    </Link>
  )
}
