//! Class files of the JDK are read as `ristretto_classfile` reads them, which knows each constant and each instruction by a form of its own.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use classfile::instruction::walk;
use classfile::{Class, Code, Constant, Member, Pool};
use jrace_tests::jdk::Jdk;
use ristretto_classfile::attributes::{Attribute, Instruction};
use ristretto_classfile::byte_reader::ByteReader;
use ristretto_classfile::{ClassAccessFlags, ClassFile, Constant as Other, ConstantPool};
use ristretto_jimage::Image;

#[test]
fn both_read_the_same_of_the_jdk() {
    let image = Image::from_file(&Jdk::oldest().home.join("lib/modules")).expect("a JDK has an image");
    let (mut n_classes, mut n_instructions) = (0, 0);
    for resource in image.iter().flatten().filter(|resource| resource.extension() == "class") {
        n_classes += 1;
        // Every class of the module that all others need, and some of the rest.
        if resource.module() != "java.base" && n_classes % 10 != 0 {
            continue;
        }
        let bytes = resource.data();
        let name = format!("{}/{}", resource.parent(), resource.base());
        let (class, other) =
            (Class::read(bytes).expect(&name), ClassFile::from_slice(bytes).unwrap_or_else(|_| panic!("{name}")));
        same_pool(&class.pool, &other.constant_pool);
        let text = |index| other.constant_pool.try_get_utf8(index).expect("a text").as_bytes().to_vec();
        // It drops flags that it has no name for, and classes of the JDK have some.
        assert_eq!(ClassAccessFlags::from_bits_truncate(class.access), other.access_flags, "{name}");
        assert_eq!((class.this_class, class.super_class), (other.this_class, other.super_class), "{name}");
        assert_eq!(class.interfaces().collect::<Vec<_>>(), other.interfaces, "{name}");
        let fields = other.fields.iter().map(|field| (text(field.name_index), text(field.descriptor_index)));
        assert!(members(&class.fields).eq(fields), "{name}");
        let methods = other.methods.iter().map(|method| (text(method.name_index), text(method.descriptor_index)));
        assert!(members(&class.methods).eq(methods), "{name}");
        for (method, other) in class.methods.iter().zip(&other.methods) {
            let code = other.attributes.iter().find(|attribute| matches!(attribute, Attribute::Code { .. }));
            n_instructions += same_code(&class, method, code);
        }
    }
    assert!(n_instructions > 500_000, "only {n_instructions} instructions of {n_classes} classes");
}

fn members(members: &[Member<'_>]) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    members.iter().map(|member| (member.name.to_vec(), member.descriptor.to_vec()))
}

fn same_pool(pool: &Pool<'_>, other: &ConstantPool<'_>) {
    for index in 0..u16::try_from(pool.count()).expect("it fits") {
        let same = match (pool.get(index), other.get(index)) {
            (None, None) => true,
            (Some(Constant::Utf8(text)), Some(Other::Utf8(other))) => text == other.as_bytes(),
            (Some(Constant::Integer(value)), Some(Other::Integer(other))) => value == *other,
            (Some(Constant::Float(value)), Some(Other::Float(other))) => value.to_bits() == other.to_bits(),
            (Some(Constant::Long(value)), Some(Other::Long(other))) => value == *other,
            (Some(Constant::Double(value)), Some(Other::Double(other))) => value.to_bits() == other.to_bits(),
            (Some(Constant::Class(name)), Some(Other::Class(other)))
            | (Some(Constant::String(name)), Some(Other::String(other)))
            | (Some(Constant::MethodType(name)), Some(Other::MethodType(other)))
            | (Some(Constant::Module(name)), Some(Other::Module(other)))
            | (Some(Constant::Package(name)), Some(Other::Package(other))) => name == *other,
            (Some(Constant::Field(class, member)), Some(Other::FieldRef { class_index, name_and_type_index }))
            | (Some(Constant::Method(class, member)), Some(Other::MethodRef { class_index, name_and_type_index }))
            | (
                Some(Constant::InterfaceMethod(class, member)),
                Some(Other::InterfaceMethodRef { class_index, name_and_type_index }),
            ) => (class, member) == (*class_index, *name_and_type_index),
            (
                Some(Constant::NameAndType(name, descriptor)),
                Some(Other::NameAndType { name_index, descriptor_index }),
            ) => (name, descriptor) == (*name_index, *descriptor_index),
            (
                Some(Constant::MethodHandle(kind, member)),
                Some(Other::MethodHandle { reference_kind, reference_index }),
            ) => (kind, member) == (reference_kind.kind(), *reference_index),
            (
                Some(Constant::Dynamic(bootstrap, member)),
                Some(Other::Dynamic { bootstrap_method_attr_index, name_and_type_index }),
            )
            | (
                Some(Constant::InvokeDynamic(bootstrap, member)),
                Some(Other::InvokeDynamic { bootstrap_method_attr_index, name_and_type_index }),
            ) => (bootstrap, member) == (*bootstrap_method_attr_index, *name_and_type_index),
            _ => false,
        };
        assert!(same, "constant {index}: {:?} and {:?}", pool.get(index), other.get(index));
    }
}

/// Says how many instructions there are.
fn same_code(class: &Class<'_>, method: &Member<'_>, other: Option<&Attribute>) -> usize {
    let code = method.code.clone().map(|range| Code::read(&class.bytes[range]).expect("code"));
    let (Some(code), Some(Attribute::Code { max_stack, max_locals, exception_table, code: other, .. })) =
        (&code, other)
    else {
        assert!(code.is_none() && other.is_none());
        return 0;
    };
    assert_eq!((code.max_stack, code.max_locals), (*max_stack, *max_locals));
    let caught = exception_table.iter().map(|entry| entry.catch_type);
    assert!(code.handlers.iter().map(|handler| handler.catch_type).eq(caught));
    let opcodes = walk(code.bytes).map(|instruction| instruction.expect("an instruction").opcode());
    assert!(opcodes.eq(other.iter().map(Instruction::code)));
    let mut reader = ByteReader::new(code.bytes);
    for instruction in walk(code.bytes).flatten() {
        Instruction::from_bytes(&mut reader).expect("an instruction");
        assert_eq!(instruction.end() as usize, reader.position());
    }
    other.len()
}
