import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BankAccount } from '../../../../src/accounts/developers/bank-account-schema.ts'
import { COUNTRIES } from '../../countries.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { FormDialog, type Field } from '../../form.tsx'
import { Time } from '../../format.tsx'
import { ApiCall, Empty, Failure, PageHead } from '../../parts.tsx'
import { Facts, Loading } from '../../../ui/parts.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { texts } from '../../texts/texts.ts'

const GROUP = 'bank account'

const country = (name: string, label: string): Field => ({
  name,
  label,
  kind: 'choice',
  options: [['', texts.none], ...COUNTRIES],
})

/** The fields of an account; `last4`: of one that is there, whose number stays unless another is typed. */
const fieldsOf = (last4?: string): readonly Field[] => [
  { name: 'name', label: texts.holder },
  {
    name: 'account_number',
    label: texts.accountNumber,
    empty: 'left out',
    help: last4 === undefined ? undefined : fill(texts.accountNumberKept, { last4 }),
  },
  { name: 'bank_name', label: texts.bankName },
  { name: 'swift', label: texts.swift, help: texts.swiftHelp },
  { name: 'bank_city_state', label: texts.bankCity },
  country('bank_country_code', texts.bankCountry),
  { name: 'phone', label: texts.phone },
  { name: 'address_street', label: texts.street },
  { name: 'address_apt', label: texts.apartment, empty: null },
  { name: 'address_zip', label: texts.zip },
  { name: 'address_city', label: texts.city },
  { name: 'address_state', label: texts.stateOrProvince, empty: null },
  country('address_country_code', texts.countryCode),
  { name: 'ifsc', label: texts.ifsc, help: texts.ifscHelp, empty: null },
  { name: 'sort_code', label: texts.sortCode, help: texts.sortCodeHelp, empty: null },
  { name: 'aba_rtn', label: texts.routing, help: texts.routingHelp, empty: null },
  { name: 'wise_account_email', label: texts.wiseEmail, kind: 'email', empty: null },
]

const Add = ({ isQuiet, open }: { readonly isQuiet: boolean; readonly open: () => void }) => (
  <Allowed group={GROUP} isQuiet={isQuiet}>
    {(barred) => (
      <Button {...barred} onClick={open}>
        {texts.addBankAccount}
      </Button>
    )}
  </Allowed>
)

/** Where the account is paid out to: what there is, added and changed; a number is never shown whole. */
export function BankAccounts() {
  const { accountPath } = usePlace()
  const path = `${accountPath}/bank_account.json`
  const [isAdding, setAdding] = useCreating(GROUP)
  const [changed, setChanged] = useState<BankAccount | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<{ readonly bank_accounts: readonly BankAccount[] }>(path),
  })
  const isEmpty = data?.bank_accounts.length === 0
  const add = <Add isQuiet={error !== null} open={() => setAdding(true)} />
  return (
    <>
      <PageHead
        title={texts.bankAccounts}
        about={texts.bankAccountsAbout}
        actions={isEmpty ? undefined : add}
      />
      {error ? <Failure error={error} again={() => void refetch()} /> : null}
      {data === undefined && !error ? <Loading /> : null}
      {isEmpty ? (
        <Empty
          title={texts.noBankAccounts}
          more={texts.noBankAccountsMore}
          making={{ path, body: Object.fromEntries(fieldsOf().map(({ name }) => [name, '…'])) }}
        >
          {add}
        </Empty>
      ) : null}
      <div className="halves">
        {data?.bank_accounts.map((account) => (
          <Known key={account.id} account={account} change={() => setChanged(account)} />
        ))}
      </div>
      {isAdding ? (
        <FormDialog
          title={texts.addBankAccount}
          fields={fieldsOf()}
          before={{}}
          act={texts.addBankAccount}
          sent={(body) => ({ method: 'POST', path, body })}
          close={() => setAdding(false)}
        />
      ) : null}
      {changed ? (
        <FormDialog
          title={texts.changeBankAccount}
          fields={fieldsOf(changed.account_last4)}
          before={shownOf(changed)}
          sent={(body) => ({ method: 'PUT', path: `${accountPath}/bank_account/${changed.id}.json`, body })}
          close={() => setChanged(null)}
        />
      ) : null}
      <ApiCall path={path} />
    </>
  )
}

/** As the form has it: countries as they are chosen. */
const shownOf = (account: BankAccount) => ({
  ...account,
  address_country_code: account.address_country_code.toUpperCase(),
  bank_country_code: account.bank_country_code.toUpperCase(),
})

function Known({ account, change }: { readonly account: BankAccount; readonly change: () => void }) {
  const where = [account.address_street, account.address_apt, account.address_zip, account.address_city]
  return (
    <div className="stack">
      <Facts
        title={`${account.bank_name} •••• ${account.account_last4}`}
        facts={[
          { label: texts.holder, value: account.name },
          { label: texts.addressLines, value: where.filter(Boolean).join(', ') },
          { label: texts.countryCode, value: account.address_country_code.toUpperCase() },
          { label: texts.swift, value: account.swift },
          { label: texts.created, value: <Time time={account.created} /> },
        ]}
      />
      <div>
        <Allowed group={GROUP} isQuiet>
          {(barred) => (
            <Button {...barred} variant="default" onClick={change}>
              {texts.changeBankAccount}
            </Button>
          )}
        </Allowed>
      </div>
    </div>
  )
}
