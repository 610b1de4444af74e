// Freezes the page's clock at the world's time, so that relative dates never change. Runs in every frame.
(now => {
  const Real = Date;
  const Frozen = function Date(...parts) {
    if (!new.target) return new Real(now).toString();
    return Reflect.construct(Real, parts.length ? parts : [now], new.target === Frozen ? Real : new.target);
  };
  Frozen.prototype = Real.prototype;
  Object.defineProperties(Frozen, {
    length: {value: 7}, now: {value: () => now, writable: true, configurable: true},
    parse: {value: Real.parse, writable: true, configurable: true}, UTC: {value: Real.UTC, writable: true, configurable: true},
  });
  Object.defineProperty(Real.prototype, 'constructor', {value: Frozen, writable: true, configurable: true});
  globalThis.Date = Frozen;
  const format = Intl.DateTimeFormat.prototype;
  for (const name of ['formatToParts']) {
    const real = format[name];
    format[name] = function (date) { return real.call(this, date === undefined ? now : date); };
  }
  const getter = Object.getOwnPropertyDescriptor(format, 'format').get;
  Object.defineProperty(format, 'format', {configurable: true, get() {
    const bound = getter.call(this);
    return date => bound(date === undefined ? now : date);
  }});
  if (globalThis.Temporal) {
    const instant = Temporal.Instant.fromEpochMilliseconds(now);
    const zoned = zone => instant.toZonedDateTimeISO(zone || Temporal.Now.timeZoneId());
    Object.assign(Temporal.Now, {
      instant: () => instant,
      zonedDateTimeISO: zoned,
      plainDateTimeISO: zone => zoned(zone).toPlainDateTime(),
      plainDateISO: zone => zoned(zone).toPlainDate(),
      plainTimeISO: zone => zoned(zone).toPlainTime(),
    });
  }
})
