#!/usr/bin/env python3
"""Writes a generated Apple Health export of any size: the same size gives the same bytes.

usage: health_export.py BYTES FILE     FILE ends in .xml or .zip; a zip holds it as an iPhone's does

It has what real exports have, in their proportions and their order: mostly heart rates, steps and energy, each kind
sorted by time; nights in stages, blood pressures in correlations, workouts with statistics, and the rings of days.
"""

import random
import sys
import zipfile
from datetime import datetime, timedelta

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  value         CDATA #IMPLIED
  startDate     CDATA #REQUIRED
  endDate       CDATA #REQUIRED
>
<!-- Note: Any Records that appear as children of a correlation also appear as top-level records in this document. -->
]>
<HealthData locale="de_DE">
 <ExportDate value="2026-03-01 09:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
"""
FOOT = "</HealthData>\n"
WATCH = (
    'sourceName="Ann&#8217;s Apple Watch" sourceVersion="10.3.1" device="&lt;&lt;HKDevice: 0x2835c1e50&gt;, '
    'name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1, software:10.3.1&gt;"'
)
PHONE = (
    'sourceName="Ann&#8217;s iPhone" sourceVersion="17.3" device="&lt;&lt;HKDevice: 0x2835c2d00&gt;, '
    'name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone13,2, software:17.3&gt;"'
)
CUFF = 'sourceName="Cuff" sourceVersion="5.1"'
START = datetime(2014, 9, 17, 6, 0, 0)
ZONE = "+0100"
CHUNK_BYTES = 1 << 20


def stamp(at):
    return f"{at.isoformat(sep=' ', timespec='seconds')} {ZONE}"


def record(kind, source, span, value, unit, inside=""):
    start, end = span
    unit = f' unit="{unit}"' if unit else ""
    head = (
        f' <Record type="{kind}" {source}{unit} creationDate="{stamp(end)}" '
        f'startDate="{stamp(start)}" endDate="{stamp(end)}" value="{value}"'
    )
    return f"{head}>\n{inside} </Record>\n" if inside else f"{head}/>\n"


def quantities(dice, name, source, unit, step_seconds, value, inside=""):
    at = START
    while True:
        at += timedelta(seconds=step_seconds + dice.randrange(step_seconds))
        end = at + timedelta(seconds=dice.randrange(step_seconds))
        yield record(f"HKQuantityTypeIdentifier{name}", source, (at, end), value(dice), unit, inside)


def nights(dice):
    night = START.replace(hour=22)
    while True:
        night += timedelta(days=1)
        at, end = night + timedelta(minutes=dice.randrange(60)), night + timedelta(hours=8)
        while at < end:
            then = at + timedelta(minutes=5 + dice.randrange(50))
            stage = dice.choice(["AsleepCore", "AsleepCore", "AsleepDeep", "AsleepREM", "Awake"])
            inside = '  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>\n'
            value = f"HKCategoryValueSleepAnalysis{stage}"
            yield record("HKCategoryTypeIdentifierSleepAnalysis", WATCH, (at, then), value, None, inside)
            at = then


def pressures(dice):
    at = START
    while True:
        at += timedelta(hours=12, seconds=dice.randrange(3600))
        both = [("Systolic", 110 + dice.randrange(30)), ("Diastolic", 70 + dice.randrange(20))]
        lines = [
            record(f"HKQuantityTypeIdentifierBloodPressure{name}", CUFF, (at, at), value, "mmHg") for name, value in both
        ]
        yield "".join(lines)
        yield (
            f' <Correlation type="HKCorrelationTypeIdentifierBloodPressure" {CUFF} startDate="{stamp(at)}" '
            f'endDate="{stamp(at)}">\n {" ".join(lines)} </Correlation>\n'
        )


def workouts(dice):
    at = START
    while True:
        at += timedelta(days=2, seconds=dice.randrange(7200))
        minutes = 20 + dice.randrange(60)
        end = at + timedelta(minutes=minutes)
        span = f'startDate="{stamp(at)}" endDate="{stamp(end)}"'
        yield (
            f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="{minutes}" durationUnit="min" '
            f'{WATCH} creationDate="{stamp(end)}" {span}>\n'
            '  <MetadataEntry key="HKElevationAscended" value="2310 cm"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" {span} sum="{minutes * 11}" unit="kcal"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" {span} sum="{minutes / 6:.3f}" unit="km"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" {span} average="141" minimum="98" maximum="173" unit="count/min"/>\n'
            " </Workout>\n"
        )


def rings(dice):
    day = START
    while True:
        day += timedelta(days=1)
        yield (
            f' <ActivitySummary dateComponents="{day.date()}" activeEnergyBurned="{dice.randrange(900)}.5" '
            'activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleMoveTime="0" appleMoveTimeGoal="0" '
            f'appleExerciseTime="{dice.randrange(90)}" appleExerciseTimeGoal="30" appleStandHours="{dice.randrange(14)}" '
            'appleStandHoursGoal="12"/>\n'
        )


MOTION = '  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>\n'
# The kinds of elements, and the percentage of each.
KINDS = [
    (36, lambda dice: quantities(dice, "HeartRate", WATCH, "count/min", 150, lambda d: 50 + d.randrange(110), MOTION)),
    (14, lambda dice: quantities(dice, "StepCount", PHONE, "count", 300, lambda d: 1 + d.randrange(400))),
    (14, lambda dice: quantities(dice, "DistanceWalkingRunning", PHONE, "km", 300, lambda d: f"{d.random():.5f}")),
    (13, lambda dice: quantities(dice, "ActiveEnergyBurned", WATCH, "kcal", 300, lambda d: f"{d.random():.3f}")),
    (12, lambda dice: quantities(dice, "BasalEnergyBurned", WATCH, "kcal", 300, lambda d: f"{15 * d.random():.3f}")),
    (3, lambda dice: quantities(dice, "OxygenSaturation", WATCH, "%", 1800, lambda d: f"0.{90 + d.randrange(10)}")),
    (1, lambda dice: quantities(dice, "BodyMass", CUFF, "kg", 43200, lambda d: f"{70 + d.random():.1f}")),
    (1, pressures),
    (4, nights),
    (1, workouts),
    (1, rings),
]


def pieces(size_bytes):
    """The parts of the file: `size_bytes` at the most, not counting the last element of each kind."""
    yield HEAD
    for number, (part, kind) in enumerate(KINDS):
        left = size_bytes * part // 100
        for piece in kind(random.Random(number)):
            left -= len(piece)
            if left < 0:
                break
            yield piece
    yield FOOT


def write(out, size_bytes):
    chunk, held = [], 0
    for piece in pieces(size_bytes):
        chunk.append(piece)
        held += len(piece)
        if held > CHUNK_BYTES:
            out.write("".join(chunk).encode())
            chunk, held = [], 0
    out.write("".join(chunk).encode())


def main():
    size_bytes, path = int(sys.argv[1]), sys.argv[2]
    if path.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("apple_health_export/export.xml", "w", force_zip64=True) as out:
                write(out, size_bytes)
    else:
        with open(path, "wb") as out:
            write(out, size_bytes)


main()
