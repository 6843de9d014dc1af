import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { SubmitEvent } from 'react'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import type { AuditSearch } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

/** What narrows the log; it is in the address of the page. */
export function Narrowing({
  search,
  products,
}: {
  readonly search: AuditSearch
  readonly products: readonly Product[]
}) {
  const navigate = useNavigate()
  const narrow = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget)].map(([name, text]) => [
      name,
      String(text).trim() || undefined,
    ])
    void navigate({
      to: '.',
      search: (before: AuditSearch) => ({ mode: before.mode, ...Object.fromEntries(given) }),
    })
  }
  return (
    <form role="search" className="audit-narrowing" onSubmit={narrow}>
      <TextInput name="action" label={texts.action} defaultValue={search.action ?? ''} />
      <TextInput
        name="actor"
        label={texts.actor}
        placeholder="developer:1"
        defaultValue={search.actor ?? ''}
      />
      <NativeSelect
        name="product_id"
        label={texts.product}
        defaultValue={search.product_id ?? ''}
        data={[
          { value: '', label: texts.all },
          ...products.map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <TextInput name="request_id" label={texts.requestId} defaultValue={search.request_id ?? ''} />
      <TextInput
        name="from"
        type="date"
        label={texts.fromDay}
        title={texts.spanOfDays}
        defaultValue={search.from ?? ''}
      />
      <TextInput
        name="to"
        type="date"
        label={texts.toDay}
        title={texts.spanOfDays}
        defaultValue={search.to ?? ''}
      />
      <Button type="submit" variant="default">
        {texts.filter}
      </Button>
    </form>
  )
}
