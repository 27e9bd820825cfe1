package embedpg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// renew gives a copied data directory a system identifier of its own: two
// servers with the same one are, to those who ask, the same server. The
// identifier is in the first eight bytes of pg_control, which a CRC-32C closes
// (src/include/catalog/pg_control.h), and in the header of every WAL segment
// (XLogLongPageHeaderData in src/include/access/xlog_internal.h).
func renew(dataDir string) error {
	control := filepath.Join(dataDir, "global", "pg_control")
	text, err := os.ReadFile(control)
	if err != nil {
		return err
	}
	end, err := crcOffset(text)
	if err != nil {
		return err
	}
	old := binary.NativeEndian.Uint64(text)
	id := uint64(rand.Int64())
	binary.NativeEndian.PutUint64(text, id)
	binary.NativeEndian.PutUint32(text[end:], crc32.Checksum(text[:end], crc32.MakeTable(crc32.Castagnoli)))
	segments, err := filepath.Glob(filepath.Join(dataDir, "pg_wal", "0000000*"))
	if err != nil {
		return err
	}
	for _, segment := range segments {
		if err := renewSegment(segment, old, id); err != nil {
			return err
		}
	}
	return overwrite(control, 0, text)
}

// crcOffset finds the checksum of pg_control, whose length differs by version:
// it is the first four bytes that are the CRC-32C of all before them.
func crcOffset(text []byte) (int, error) {
	table := crc32.MakeTable(crc32.Castagnoli)
	for end := 64; end+4 <= len(text); end += 4 {
		if binary.NativeEndian.Uint32(text[end:]) == crc32.Checksum(text[:end], table) {
			return end, nil
		}
	}
	return 0, errors.New("pg_control has no checksum where one is expected")
}

func renewSegment(file string, old, id uint64) error {
	const offset = 24
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var found [8]byte
	if _, err := f.ReadAt(found[:], offset); err != nil {
		return err
	}
	if binary.NativeEndian.Uint64(found[:]) != old {
		return fmt.Errorf("%s: system identifier is not where expected", file)
	}
	binary.NativeEndian.PutUint64(found[:], id)
	return overwrite(file, offset, found[:])
}

func overwrite(file string, offset int64, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, offset)
	return errors.Join(err, f.Close())
}
