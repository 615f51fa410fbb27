import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coordinateOf,
  isIdName,
  isQuantityName,
  ownerOfId,
  singular,
  slugOf,
  titleRank,
  wordsOf,
} from './names.ts'

test('words are made singular by rules with exceptions', () => {
  const pairs = {
    movies: 'movie',
    countries: 'country',
    cities: 'city',
    boxes: 'box',
    addresses: 'address',
    statuses: 'status',
    houses: 'house',
    status: 'status',
    series: 'series',
    people: 'person',
    'sales-people': 'sales-person',
    'order-items': 'order-item',
    churches: 'church',
    data: 'data',
    kunden: 'kunden',
    keys: 'key',
    cases: 'case',
    databases: 'database',
    s: 's',
    'part-s': 'part-s',
  }
  for (const [many, one] of Object.entries(pairs)) assert.equal(singular(many), one)
})

test('names are split into words, regardless of their separators', () => {
  assert.deepEqual(wordsOf('Betriebs-Nr.'), ['betriebs', 'nr'])
  assert.deepEqual(wordsOf('customerID'), ['customer', 'id'])
  assert.deepEqual(wordsOf('Straße/Größe_m2'), ['strasse', 'grosse', 'm2'])
  assert.equal(slugOf('2024 Übersicht (final).csv'), 'ubersicht-final-csv')
  assert.equal(slugOf('名前'), 'world')
  assert.equal(slugOf(`a${'-b'.repeat(99)}`), `a${'-b'.repeat(29)}`)
})

test('the meaning of a column is recognized by its name', () => {
  for (const name of ['id', 'bookId', 'Artikel-Nr.', 'order_key', 'ISBN', 'Customer ID'])
    assert.ok(isIdName(name), name)
  for (const name of ['paid', 'idea', 'keyboard', 'number']) assert.ok(!isIdName(name), name)
  assert.deepEqual(['customer_id', 'id', 'parentID'].map(ownerOfId), ['customer', '', 'parent'])
  const ranks = ['title', 'Name', 'product_name', 'Bezeichnung', 'NAME1', 'Название', '名称'].map(titleRank)
  assert.ok(ranks.every((rank) => rank !== undefined))
  for (const name of ['username', 'filename', 'first_name', 'entitlement', 'id', 'name2'])
    assert.equal(titleRank(name), undefined, name)
  assert.ok(isQuantityName('Preis (EUR)') && isQuantityName('average_rating') && !isQuantityName('version'))
})

test('a column is a coordinate only if nothing but its way of writing follows the word for it', () => {
  for (const name of [
    'lat',
    'start_lat',
    'lat_deg',
    'Breite [Grad]',
    'lat_wgs84',
    'Latitude (average)',
    'LATITUDE_N',
  ])
    assert.equal(coordinateOf(name), 'latitude', name)
  for (const name of ['lng', 'geoLong', 'long_dd', 'Länge', 'longitude of the site', 'X_LON'])
    assert.equal(coordinateOf(name), 'longitude', name)
  for (const name of [
    'lat_pulldown_kg',
    'lat pull',
    'long_jump_m',
    'long description',
    'Länge in m',
    'breite_cm',
    'plate',
  ])
    assert.equal(coordinateOf(name), undefined, name)
})
