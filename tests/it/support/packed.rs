//! Archives of files, as Google Takeout exports them.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Names within the archive, and the files' contents.
pub type Files<'a> = [(&'a str, Vec<u8>)];

pub fn zip(path: &Path, files: &Files<'_>) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

pub fn tgz(path: &Path, files: &Files<'_>) {
    let mut gzip = GzEncoder::new(File::create(path).unwrap(), Compression::default());
    gzip.write_all(&tar(files)).unwrap();
    gzip.finish().unwrap();
}

pub fn tar(files: &Files<'_>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, bytes.as_slice())
            .unwrap();
    }
    tar.into_inner().unwrap()
}
